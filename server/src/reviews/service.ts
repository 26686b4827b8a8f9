import { type ApiKey, type KeyReview, notFound, Refusal } from '@countersign/sdk/contract'
import type { BundleService } from '../bundles/service.ts'
import type { Database } from '../db/engine.ts'
import { lockProvider } from '../db/lock.ts'
import type { Tx } from '../db/schema.ts'
import { timeOf } from '../db/times.ts'
import type { Asked } from '../delays/service.ts'
import type { DeploymentService } from '../deployments/service.ts'
import type { DomainService } from '../domains/service.ts'
import type { EventRecorder } from '../events/service.ts'
import type { Caller } from '../http/callers.ts'
import type { NewId } from '../ids.ts'
import type { KeyService } from '../keys/service.ts'
import type { MailService } from '../mail/service.ts'
import type { ModelService } from '../models/service.ts'
import type { PeopleService } from '../people/service.ts'
import type { ProviderService } from '../providers/service.ts'
import type { PublisherService } from '../publishers/service.ts'
import type { WorkloadService } from '../workloads/service.ts'
import { type Change, profileFields, traceKey } from './rules.ts'
import {
  decide,
  findProfile,
  findReview,
  insertReview,
  listCopied,
  listReviews,
  nameOfDeployment,
  nameOfVersion,
  readReviewed,
  readTrail,
  reviewOf,
} from './store.ts'

interface Deps {
  database: Database
  events: EventRecorder
  keys: KeyService
  deployments: DeploymentService
  publishers: PublisherService
  workloads: WorkloadService
  people: Pick<PeopleService, 'endInvitation' | 'hold' | 'bringBack' | 'endHold'>
  bundles: BundleService
  models: ModelService
  domains: DomainService
  providers: Pick<ProviderService, 'restore'>
  mail: Pick<MailService, 'alert'>
  now: () => number
  newId: NewId
}

type Single = Change & { kind: KeyReview['kind'] }
/** The removed object, or undefined if there was none. */
type Suspended = { name: string | null; kept?: string } | undefined

type Decider = Asked & { caller: Caller }
type Decided = Pick<KeyReview, 'kind' | 'subject_id'> & { kept: string | null }

/** The domain to restore. Reviews from earlier versions kept only the name of what the report had replaced. */
const keptPrimary = (kept: string | null): { domain: string; isListed: boolean } =>
  kept?.startsWith('{') ? JSON.parse(kept) : { domain: kept ?? '', isListed: false }

const idsOf = (subject_id: string): [model_id: string, deployment_id: string] => {
  const [model_id = '', deployment_id = ''] = subject_id.split(' ')
  return [model_id, deployment_id]
}

const fieldOf = (profile: Awaited<ReturnType<typeof findProfile>>, field: string) => {
  const known = profileFields.find((name) => name === field)
  return known && profile[known]
}

/** What a key did before its owner reported the leak: suspended at once, then restored or ended one by one. */
export const createReviewService = (needs: Deps) => {
  const { database, events, keys, deployments, publishers, workloads, people, bundles, models } = needs
  const { domains, providers, mail, now, newId } = needs

  const suspend = async (
    tx: Tx,
    caller: Caller,
    { kind, subject_id, isAdded = false, before, after }: Single,
  ): Promise<Suspended> => {
    const { provider_id } = caller
    switch (kind) {
      case 'deployment':
        return (await deployments.changeStatus(tx, caller, subject_id, 'disabled'))
          ? { name: await nameOfDeployment(tx, { provider_id, id: subject_id }) }
          : undefined
      case 'authorization': {
        const [model_id, deployment_id] = idsOf(subject_id)
        return (await deployments.takeAuthorization(tx, caller, model_id, deployment_id))
          ? { name: await nameOfVersion(tx, { provider_id, id: model_id }) }
          : undefined
      }
      case 'publisher':
        return publishers.hold(tx, caller, subject_id)
      case 'workload':
        return workloads.hold(tx, caller, subject_id)
      case 'signer':
        return bundles.holdSigner(tx, caller, subject_id)
      case 'signer_proof':
        return bundles.holdProof(tx, caller, subject_id)
      case 'unarchived':
        return (await models.withdraw(tx, caller, subject_id, 'Restored with a compromised key'))
          ? { name: await nameOfVersion(tx, { provider_id, id: subject_id }) }
          : undefined
      case 'domain':
        return domains.hold(tx, caller, subject_id, isAdded)
      case 'primary_domain':
        return before === undefined ? undefined : domains.holdPrimary(tx, caller, before)
      case 'member':
        return people.hold(tx, caller, subject_id)
      case 'profile': {
        const isStill = fieldOf(await findProfile(tx, provider_id), subject_id) === after
        return isStill ? { name: `${before} → ${after}`, kept: JSON.stringify({ before, after }) } : undefined
      }
      case 'version': {
        const name = await nameOfVersion(tx, { provider_id, id: subject_id })
        return name === null ? undefined : { name }
      }
      default:
        return kind satisfies never
    }
  }

  const putBack = async (tx: Tx, asked: Decider, { kind, subject_id, kept }: Decided) => {
    const { caller } = asked
    const [model_id, deployment_id] = idsOf(subject_id)
    if (kind === 'deployment') await deployments.changeStatus(tx, caller, subject_id, 'enabled')
    if (kind === 'authorization') await deployments.giveAuthorization(tx, caller, model_id, deployment_id)
    if (kind === 'publisher' && kept !== null) await publishers.putBack(tx, caller, kept)
    if (kind === 'workload' && kept !== null) await workloads.putBack(tx, caller, kept)
    if (kind === 'signer' && kept !== null) await bundles.putSignerBack(tx, caller, kept)
    if (kind === 'signer_proof' && kept !== null) await bundles.putProofBack(tx, caller, subject_id, kept)
    if (kind === 'unarchived') await models.bringBack(tx, caller, subject_id)
    if (kind === 'domain' && kept !== null) await domains.putBack(tx, caller, subject_id, kept)
    if (kind === 'primary_domain' && !keptPrimary(kept).isListed)
      await domains.endHoldPrimary(tx, asked, keptPrimary(kept).domain)
    if (kind === 'member' && kept !== null) await people.bringBack(tx, caller, subject_id, kept)
  }

  const end = async (tx: Tx, asked: Decider, { kind, subject_id, kept }: Decided) => {
    const { caller } = asked
    if (kind === 'deployment') await deployments.remove(tx, caller, subject_id)
    if (kind === 'version')
      await models.withdraw(tx, caller, subject_id, 'Registered or changed with a compromised key')
    if (kind === 'domain') await domains.endClaim(tx, caller, subject_id)
    if (kind === 'primary_domain' && keptPrimary(kept).isListed)
      await domains.endHoldPrimary(tx, asked, keptPrimary(kept).domain)
    if (kind === 'member' && kept === null) await people.endHold(tx, asked, subject_id)
    if (kind !== 'profile' || kept === null) return
    const { before, after }: { before: string; after: string } = JSON.parse(kept)
    // What its owner has changed since stays.
    if (fieldOf(await findProfile(tx, caller.provider_id), subject_id) === after)
      await providers.restore(tx, asked, { [subject_id]: before })
  }

  /** Copied authorizations are reviewed one by one. An invitation that waits can be sent again. */
  const singlesOf = async (tx: Tx, caller: Caller, change: Change): Promise<Single[]> => {
    const { provider_id } = caller
    const { kind, subject_id, actor, at } = change
    if (kind === 'invitation') {
      await people.endInvitation(tx, caller, subject_id)
      return []
    }
    if (kind !== 'copied_authorizations') return [{ ...change, kind }]
    const copied = await listCopied(tx, { provider_id, model_id: subject_id, until: at })
    return copied.map(({ deployment_id }) => ({
      kind: 'authorization',
      actor,
      subject_id: `${subject_id} ${deployment_id}`,
      at,
    }))
  }

  return {
    /** Repeating it finds what came since, and may give an earlier time. */
    async compromise(caller: Caller, key_id: string, given?: string) {
      const { provider_id } = caller
      return database.transaction(async (tx) => {
        await lockProvider(database, tx, provider_id)
        const { key, since } = await keys.markCompromised(
          tx,
          caller,
          key_id,
          given === undefined ? undefined : Date.parse(given),
        )
        const { keys: made, changes } = traceKey(key_id, await readTrail(tx, { provider_id, since }))
        const revoked: ApiKey['id'][] = []
        for (const id of made) revoked.push((await keys.markCompromised(tx, caller, id, undefined)).key.id)
        const reviewed = await readReviewed(tx, provider_id)
        const reviews: KeyReview[] = []
        for (const change of changes) {
          for (const single of await singlesOf(tx, caller, change)) {
            const { kind, subject_id, actor, at } = single
            // Skip what is already pending or decided.
            if ((reviewed.get(`${kind} ${subject_id}`) ?? 0) >= at) continue
            const suspended = await suspend(tx, caller, single)
            if (!suspended) continue
            const row = {
              provider_id,
              id: newId('rev'),
              key_id,
              actor,
              kind,
              subject_id,
              name: suspended.name,
              changed_at: at,
              kept: suspended.kept ?? null,
              created_at: now(),
              decision: null,
              decided_at: null,
            }
            await insertReview(tx, row)
            reviews.push(reviewOf(row))
          }
        }
        await mail.alert(tx, provider_id, {
          section: 'keys',
          subject: 'An API key of your account was reported as compromised',
          lines: [
            `The key with this name was revoked, and links made with it since ${timeOf(since).slice(0, 19).replace('T', ' ')} UTC are no longer valid:`,
            { quote: key.name },
            `${reviews.length} ${reviews.length === 1 ? 'change waits' : 'changes wait'} for your review. Confirm those you made and withdraw the others.`,
          ],
        })
        return { key, revoked_keys: revoked, reviews }
      })
    },

    async list({ provider_id }: Caller): Promise<{ reviews: KeyReview[] }> {
      return { reviews: (await listReviews(database.read, provider_id)).map(reviewOf) }
    },

    async decide(asked: Decider, id: string, decision: 'confirmed' | 'withdrawn'): Promise<KeyReview> {
      const { provider_id, actor } = asked.caller
      const review = await database.transaction(async (tx) => {
        await lockProvider(database, tx, provider_id)
        const row = await decide(tx, { provider_id, id, decision, at: now() })
        if (!row) {
          if (!(await findReview(tx, { provider_id, id }))) throw notFound()
          throw new Refusal('already_decided', 'This change was already reviewed.')
        }
        const { kind, subject_id, key_id } = row
        if (decision === 'confirmed') await putBack(tx, asked, row)
        else await end(tx, asked, row)
        await events.record(tx, {
          provider_id,
          actor,
          action: 'key.reviewed',
          subject: ['key', key_id],
          after: { kind, subject_id, decision },
        })
        return reviewOf(row)
      })
      if (review.kind === 'domain' && decision === 'confirmed')
        await domains.recheckRestored(provider_id, review.subject_id)
      return review
    },
  }
}

export type ReviewService = ReturnType<typeof createReviewService>
