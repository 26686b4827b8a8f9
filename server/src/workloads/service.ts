import {
  invalidField,
  limits,
  type NewWorkload,
  notFound,
  Refusal,
  tokenExchange,
  type Workload,
  type WorkloadExchange,
  type WorkloadToken,
  workloadScope,
} from '@countersign/sdk/contract'
import { quoteExactly } from '@countersign/sdk/words'
import type { Database } from '../db/engine.ts'
import type { Tx } from '../db/schema.ts'
import type { DeploymentService } from '../deployments/service.ts'
import type { EventRecorder } from '../events/service.ts'
import type { Caller } from '../http/callers.ts'
import type { NewId } from '../ids.ts'
import type { KeyService } from '../keys/service.ts'
import type { MailService } from '../mail/service.ts'
import type { PublisherService } from '../publishers/service.ts'
import {
  fingerprintOf,
  identityOf,
  isAcceptedAudience,
  isAcceptedIssuer,
  matchIdentity,
  missingClaim,
  sortedClaims,
} from './rules.ts'
import {
  deleteWorkload,
  findTrusted,
  insertWorkload,
  insertWorkloadKey,
  isDeploymentKey,
  listIssuers,
  listWorkloads,
  noteUse,
  setIssuerRefused,
  type WorkloadRow,
  workloadOf,
} from './store.ts'

interface Deps {
  database: Database
  events: EventRecorder
  keys: Pick<KeyService, 'createForWorkload' | 'revokeOfPublisher'>
  mail: Pick<MailService, 'alert'>
  deployments: Pick<DeploymentService, 'ensure'>
  tokens: PublisherService['tokens']
  /** The issuers that the operator lists, besides those of known platforms. */
  issuers: readonly { issuer: string }[]
  publicUrl: string
  now: () => number
  newId: NewId
}

const keySeconds = 3_600

const mismatch = (claim: string, detail: string) =>
  new Refusal('workload_mismatch', detail, { error: 'invalid_grant', claim })

const summaryOf = ({ deployment_id, issuer, subject, claims, audience }: WorkloadRow) => ({
  deployment_id,
  issuer,
  subject,
  claims: JSON.parse(claims),
  audience,
})

/** Servers for which their platform vouches: they store no key. */
export const createWorkloadService = ({
  database,
  events,
  keys,
  mail,
  deployments,
  tokens,
  issuers,
  publicUrl,
  now,
  newId,
}: Deps) => {
  /** With the keys and tokens that its workloads were given. */
  const take = async (tx: Tx, { provider_id, actor }: Caller, id: string): Promise<WorkloadRow | undefined> => {
    const removed = await deleteWorkload(tx, { provider_id, id })
    if (!removed) return undefined
    await keys.revokeOfPublisher(tx, { provider_id, publisher_id: id })
    await events.record(tx, {
      provider_id,
      actor,
      action: 'workload.removed',
      subject: ['workload', id],
      before: summaryOf(removed),
    })
    return removed
  }

  const recordIssuer = (tx: Tx, { provider_id, id, issuer }: WorkloadRow, isAccepted: boolean) =>
    events.record(tx, {
      provider_id,
      actor: 'registry',
      action: isAccepted ? 'workload.issuer_accepted' : 'workload.issuer_refused',
      subject: ['workload', id],
      after: { issuer },
    })

  return {
    async list({ provider_id }: Caller) {
      const rows = await listWorkloads(database.read, provider_id)
      return { workloads: rows.map(workloadOf), audience: publicUrl, next_cursor: null }
    },

    async trust(caller: Caller, input: NewWorkload): Promise<Workload> {
      const { provider_id, actor } = caller
      if (!isAcceptedIssuer(input.issuer, issuers))
        throw invalidField(
          'issuer',
          'This registry does not accept tokens of that issuer. The operator can set OIDC_ISSUERS.',
        )
      const trusted = {
        subject: input.subject,
        claims: sortedClaims(input.claims),
        audience: input.audience ?? publicUrl,
      }
      if (!isAcceptedAudience({ issuer: input.issuer, audience: trusted.audience }, publicUrl))
        throw invalidField(
          'audience',
          `Tokens of this platform can name the registry: request them for ${publicUrl}, and leave the audience out.`,
        )
      const missing = missingClaim(input)
      if (missing !== undefined)
        throw invalidField(
          'claims',
          `Also give ${missing}: others could register the names in the subject after you, but never get that number.`,
        )
      return database.transaction(async (tx) => {
        const before = await listWorkloads(tx, provider_id)
        if (before.length >= limits.workloads)
          throw invalidField(
            'issuer',
            `At most ${limits.workloads} workloads are allowed. Remove one you no longer use.`,
          )
        const identity = identityOf(input.issuer, trusted)
        const existing = before.find((row) => row.identity === identity)
        if (existing)
          throw new Refusal('workload_exists', `This identity already stands for ${existing.deployment_id}.`, {
            existing_workload: { id: existing.id },
          })
        const deployment_id = await deployments.ensure(tx, caller, input.deployment_id)
        const row = await insertWorkload(tx, {
          provider_id,
          id: newId('wkl'),
          deployment_id,
          issuer: input.issuer,
          ...trusted,
          identity,
          created_at: now(),
          last_used_at: null,
          issuer_refused_at: null,
        })
        if (!row) throw new Refusal('workload_exists', 'This identity is already trusted.')
        await events.record(tx, {
          provider_id,
          actor,
          action: 'workload.trusted',
          subject: ['workload', row.id],
          after: summaryOf(row),
        })
        await mail.alert(tx, provider_id, {
          tab: 'deployments',
          subject: 'A platform identity was trusted in your account',
          lines: [
            'Workloads with this identity can now prove themselves as one of your servers, without a key:',
            { identity: quoteExactly(row.subject) },
            "If this wasn't you or your team, remove it now, check your API keys, and change your password.",
          ],
        })
        return workloadOf(row)
      })
    },

    async remove(caller: Caller, id: string): Promise<Workload> {
      return database.transaction(async (tx) => {
        const removed = await take(tx, caller, id)
        if (!removed) throw notFound()
        return workloadOf(removed)
      })
    },

    /** Removed while suspended: what is needed to restore it. */
    async hold(tx: Tx, caller: Caller, id: string) {
      const removed = await take(tx, caller, id)
      return removed && { name: removed.subject, kept: JSON.stringify(removed) }
    },

    /** Does nothing if the same identity was trusted again meanwhile. Whether its issuer is accepted may have changed. */
    async putBack(tx: Tx, { provider_id, actor }: Caller, kept: string) {
      const row: WorkloadRow = JSON.parse(kept)
      const issuer_refused_at = isAcceptedIssuer(row.issuer, issuers) ? null : (row.issuer_refused_at ?? now())
      const added = await insertWorkload(tx, { ...row, provider_id, issuer_refused_at })
      if (!added) return
      await events.record(tx, {
        provider_id,
        actor,
        action: 'workload.trusted',
        subject: ['workload', added.id],
        after: summaryOf(added),
      })
      if (issuer_refused_at !== null) await recordIssuer(tx, added, false)
    },

    /**
     * Links and keys of an issuer end when the operator removes it from the settings, and are valid again if it
     * returns.
     */
    async settleIssuers(): Promise<void> {
      for (const { issuer, is_refused } of await listIssuers(database.read)) {
        const isAccepted = isAcceptedIssuer(issuer, issuers)
        if (isAccepted === (is_refused === 0)) continue
        await database.transaction(async (tx) => {
          for (const row of await setIssuerRefused(tx, issuer, isAccepted ? null : now())) {
            const { provider_id, id } = row
            if (!isAccepted) await keys.revokeOfPublisher(tx, { provider_id, publisher_id: id })
            await recordIssuer(tx, row, isAccepted)
          }
        })
      }
    },

    /** A stranger's token causes no request: keys are fetched only for identities that the provider trusts. */
    async exchange({ subject_token, provider_id, public_key }: WorkloadExchange): Promise<WorkloadToken> {
      const spki_fingerprint = fingerprintOf(public_key)
      if (spki_fingerprint === undefined)
        throw invalidField('public_key', 'Must be an Ed25519, P-256, P-384 or RSA public key (SPKI)')
      const { issuer, claims, used } = tokens.read(subject_token)
      const known = isAcceptedIssuer(issuer, issuers) ? await findTrusted(database.read, { provider_id, issuer }) : []
      const trusted = known.filter((identity) => isAcceptedAudience(identity, publicUrl))
      if (trusted.length === 0)
        throw mismatch(
          'iss',
          'This provider trusts no workload of the token’s issuer. Its owner can add it with `countersign deployments trust add`.',
        )
      await tokens.checkSignature(subject_token, issuer)
      const match = matchIdentity(trusted, { token: claims, fingerprint: spki_fingerprint })
      if ('claim' in match)
        throw mismatch(match.claim, `The token’s issuer is trusted, but not with this ${match.claim}.`)
      const { id, deployment_id } = match.identity
      const at = now()
      const expires_at = at + keySeconds * 1_000
      return database.transaction(async (tx) => {
        await tokens.spend(tx, used)
        if (!(await noteUse(tx, { provider_id, id, at }))) throw mismatch('sub', 'The workload was just removed.')
        const isKnown = await isDeploymentKey(tx, spki_fingerprint)
        const key = { provider_id, spki_fingerprint, workload_id: id, created_at: at, expires_at }
        if (isKnown || !(await insertWorkloadKey(tx, key)))
          throw invalidField('public_key', 'This key was used before. Make a new one for each exchange')
        const { key: access_token, id: key_id } = await keys.createForWorkload(tx, {
          provider_id,
          workload_id: id,
          expires_at,
        })
        await events.record(tx, {
          provider_id,
          actor: id,
          action: 'workload.used',
          subject: ['workload', id],
          after: { key_id, spki_fingerprint, deployment_id },
        })
        return {
          access_token,
          issued_token_type: tokenExchange.accessToken,
          token_type: 'Bearer',
          expires_in: keySeconds,
          scope: workloadScope,
          workload_id: id,
          deployment_id,
          spki_fingerprint,
        }
      })
    },
  }
}

export type WorkloadService = ReturnType<typeof createWorkloadService>
