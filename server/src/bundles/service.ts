import { createHash } from 'node:crypto'
import {
  type BundleRecord,
  type BundleVerdict,
  type BundleVerification,
  describeSigner,
  limits,
  mailDomainOfSigner,
  notFound,
  Refusal,
  type UploadedBundle,
} from '@countersign/sdk/contract'
import { quoteExactly } from '@countersign/sdk/words'
import type { Database } from '../db/engine.ts'
import type { Tx } from '../db/schema.ts'
import { findTies } from '../db/signer-ties.ts'
import type { EventRecorder } from '../events/service.ts'
import type { Caller } from '../http/callers.ts'
import type { NewId } from '../ids.ts'
import type { MailService } from '../mail/service.ts'
import type { ModelService } from '../models/service.ts'
import { fitRecord } from '../names/bundle-rules.ts'
import type { Egress } from '../outbound/egress.ts'
import type { ReadRoot } from '../outbound/trusted-root.ts'
import type { Checker, Root } from './checker.ts'
import {
  detailsOf,
  fetching,
  freshMs,
  fromStored,
  isMalformed,
  isUndecided,
  keepFetchedMs,
  leaseMs,
  nextCheckAt,
  noBundle,
  noRoot,
  notChecked,
  notFetched,
  promisedMs,
  statusOf,
} from './rules.ts'
import { findSigners } from './signer-store.ts'
import { createSigners } from './signers.ts'
import {
  askForCheck,
  type BundleFacts,
  claimDue,
  claimForCheck,
  currentOf,
  type DueBundle,
  findFacts,
  findFiles,
  findStoredBundle,
  makeDueForRoot,
  postpone,
  recordOf,
  type StoredBundle,
  saveBundle,
  seenOf,
  writeVerdict,
} from './store.ts'

interface Deps {
  database: Database
  events: EventRecorder
  mail: Pick<MailService, 'alert'>
  models: ModelService
  egress: Egress
  checker: Checker
  readRoot: ReadRoot
  publicUrl: string
  now: () => number
  newId: NewId
  /** The new trusted root cannot be used; the previous one stays in use. */
  onBadRoot: (why: string) => void
  onFailure: (error: unknown) => void
}

const batch = 50
const atOnce = 8
/** Per run; the rest waits for the next run. */
const patienceMs = 45_000
/** Per run and provider, so that one provider's slow bundles don't delay others. */
const fairMs = 20_000
const postponedMs = 60_000
/** With more than this waiting, an upload is left to the job. */
const maxWaiting = 10

interface Fetched {
  source: 'url' | 'redirect'
  bytes: Buffer
}

interface Found {
  verdict: BundleVerdict
  /** What was fetched, if it is worth keeping. */
  fetched?: Fetched
}

interface Outcome {
  due: DueBundle
  facts: BundleFacts
  stored: StoredBundle | undefined
  found: Found | undefined
  by: Root
}

export const createBundleService = ({
  database,
  events,
  mail,
  models,
  egress,
  checker,
  readRoot,
  publicUrl,
  now,
  newId,
  onBadRoot,
  onFailure,
}: Deps) => {
  let root: Root | undefined
  let refused: string | undefined

  const recordFor = async (facts: BundleFacts): Promise<BundleRecord> => {
    const bundle = currentOf(facts, await findStoredBundle(database.read, facts))
    return recordOf(facts, bundle, await findSigners(database.read, facts.provider_id, facts.api_model_identifier))
  }

  const getOwn = async (caller: Caller, id: string): Promise<BundleFacts> => {
    const facts = await findFacts(database.read, { provider_id: caller.provider_id, id, at: now() })
    if (!facts) throw notFound()
    return facts
  }

  /* ---- the trusted root ---- */

  const refuseRoot = (id: string, why: string) => {
    if (refused !== id) onBadRoot(why)
    refused = id
  }

  /** An unusable root never replaces a usable one; what was checked with another root is due again. */
  const refreshRoot = async (): Promise<Root | undefined> => {
    const found = await readRoot().catch((error: unknown) => {
      refuseRoot('unread', error instanceof Error ? error.message : 'It could not be read')
    })
    if (!found || found.id === root?.id || (root && found.id === refused)) return root
    const fault = found.json === undefined ? null : await checker.faultOf(found)
    if (fault !== null) refuseRoot(found.id, fault)
    if (fault !== null && root) return root
    root = found
    if (fault === null) refused = undefined
    for (let count = batch; count === batch; )
      count = await database.transaction((tx) => makeDueForRoot(tx, { root: found.id, at: now(), limit: batch }))
    return root
  }

  /* ---- checking ---- */

  const fetchBundle = async (url: string): Promise<Fetched | string> => {
    try {
      const { status, body, url: final } = await egress.fetch(url, { ...fetching, maxBytes: limits.bundleBytes })
      if (status !== 200) return `The address answered ${status}.`
      // A host that redirects anywhere must not seem to have the bundle.
      return { source: new URL(final).origin === new URL(url).origin ? 'url' : 'redirect', bytes: body }
    } catch (error) {
      if (error instanceof Error && 'kind' in error) return error.message
      throw error
    }
  }

  const verdictOn = async (facts: BundleFacts, bundle: Uint8Array, by: Root): Promise<BundleVerdict> => {
    const { provider_id, api_model_identifier, model_digest: digest } = facts
    const [signers, ties, files] = await Promise.all([
      findSigners(database.read, provider_id, api_model_identifier),
      findTies(database.read, provider_id, now()),
      findFiles(database.read, facts),
    ])
    const known = files.length > 0 ? { files } : {}
    return (await checker.check(by, { bundle, digest, ...known, signers, ties, now: now() })) ?? notChecked()
  }

  const find = async (facts: BundleFacts, stored: StoredBundle | undefined, by: Root): Promise<Found | undefined> => {
    if (stored?.source === 'upload') return { verdict: await verdictOn(facts, stored.bytes, by) }
    if (facts.sigstore_bundle_url === null) return undefined
    const fetched = await fetchBundle(facts.sigstore_bundle_url)
    const verdict = typeof fetched === 'string' ? notFetched(fetched) : await verdictOn(facts, fetched.bytes, by)
    if (typeof fetched !== 'string' && !isMalformed(verdict)) return { verdict, fetched }
    // A host that is down, or returns an error page, does not remove a verdict at once.
    if (stored && now() - stored.received_at < keepFetchedMs) {
      const why = typeof fetched === 'string' ? fetched : 'The address did not return a bundle.'
      return { verdict: fromStored(await verdictOn(facts, stored.bytes, by), why, stored.received_at) }
    }
    return { verdict }
  }

  const emailUntied = (tx: Tx, provider_id: string, verdict: BundleVerdict | undefined) =>
    mail.alert(tx, provider_id, {
      section: 'signers',
      subject: 'A model now counts as signed by a third party',
      lines: [
        "The signature of one of your models is valid, but the signer isn't proven to be yours:",
        { identity: verdict?.signer ? describeSigner(verdict.signer, quoteExactly) : '' },
        'Until you prove it, pages show the model as signed by a third party. For a key, run:',
        { code: 'countersign signers prove' },
        'An email signer needs its domain verified. A repository needs a trusted publisher that has been used once.',
      ],
      cap: { name: 'signer_not_tied', perHour: 1 },
    })

  const write = ({ due, facts, stored, found, by }: Outcome) => {
    const { provider_id, id } = due
    const at = now()
    const verdict = found?.verdict
    const failures = verdict && isUndecided(verdict) ? facts.bundle_failures + 1 : 0
    // A root that was replaced during the check must not decide for a day.
    const isReplaced = root !== undefined && root.id !== by.id
    const after = { bundle_status: verdict ? statusOf(verdict) : ('unknown' as const), ...reportedFields(verdict) }
    const last: BundleVerdict | undefined = facts.bundle_verdict === null ? undefined : JSON.parse(facts.bundle_verdict)
    const wasVerified = last?.status === 'verified'
    const before = { bundle_status: facts.bundle_status, ...reportedFields(last) }
    return database.transaction(async (tx) => {
      const written = await writeVerdict(tx, {
        due,
        checked: facts,
        stored: stored?.sha256 ?? null,
        values: {
          bundle_status: after.bundle_status,
          bundle_last_checked: verdict ? at : null,
          bundle_verification_details: verdict ? JSON.stringify(detailsOf(verdict)) : null,
          bundle_verdict: verdict ? JSON.stringify({ ...verdict, status: after.bundle_status }) : null,
          bundle_signer: verdict ? JSON.stringify({ signer: verdict.signer, digest: facts.model_digest }) : null,
          bundle_domain: (verdict?.signer && mailDomainOfSigner(verdict.signer)) ?? null,
          bundle_root: verdict ? by.id : null,
          bundle_due_at: verdict ? (isReplaced ? at : nextCheckAt({ at, failures })) : null,
          bundle_failures: failures,
        },
      })
      if (!written) return
      if (found?.fetched) {
        await saveBundle(tx, {
          provider_id,
          model_id: id,
          ...found.fetched,
          url: facts.sigstore_bundle_url,
          sha256: sha256(found.fetched.bytes),
          received_at: at,
        })
      }
      if (JSON.stringify(before) === JSON.stringify(after)) return
      await events.record(tx, {
        provider_id,
        actor: 'registry',
        action: 'model.bundle_checked',
        subject: ['model', id],
        before,
        after,
      })
      if (wasVerified && after.reason === 'signer_not_tied') await emailUntied(tx, provider_id, verdict)
    })
  }

  const check = async (due: DueBundle) => {
    // Only one replica runs the job, but each must notice that the root was replaced.
    const by = await refreshRoot()
    const facts = await findFacts(database.read, { ...due, at: now() })
    if (!facts) return
    const stored = await findStoredBundle(database.read, facts)
    const found = by ? await find(facts, currentOf(facts, stored), by) : { verdict: noRoot() }
    await write({ due, facts, stored, found, by: by ?? { id: 'none', json: undefined } })
  }

  return {
    ...createSigners({ database, events, checker, publicUrl, now, newId }),

    async status(caller: Caller | undefined, id: string): Promise<BundleRecord> {
      const row = await models.getVisible(caller, id)
      const record = await recordFor(row)
      if (row.provider_id === caller?.provider_id) return record
      return fitRecord(record, [row.provider_domain_verified_at === null ? null : row.provider_domain])
    },

    async verify(caller: Caller, id: string, force: boolean): Promise<BundleVerification> {
      const facts = await getOwn(caller, id)
      const bundle = currentOf(facts, await findStoredBundle(database.read, facts))
      if (!bundle && facts.sigstore_bundle_url === null) throw new Refusal('bundle_missing', noBundle)
      const ids = { model_id: id, bundle_url: bundle?.source === 'upload' ? null : facts.sigstore_bundle_url }
      const isFresh =
        facts.bundle_asked_at === null &&
        facts.bundle_last_checked !== null &&
        facts.bundle_status !== 'error' &&
        now() - facts.bundle_last_checked < freshMs
      if (isFresh && !force)
        return {
          message: 'The bundle was checked a moment ago. Pass force_refresh to check it again.',
          ...ids,
          ...seenOf(facts),
          estimated_completion: null,
        }
      if (!(await database.transaction((tx) => askForCheck(tx, { ...facts, at: now() })))) throw notFound()
      return {
        message: 'Bundle verification triggered successfully',
        ...ids,
        ...seenOf(facts),
        verification_status: 'in_progress',
        estimated_completion: new Date(now() + promisedMs).toISOString(),
      }
    },

    /** Kept, then checked at once; if many are waiting, the job checks it soon. */
    async upload(caller: Caller, id: string, bundle: UploadedBundle): Promise<BundleRecord> {
      const { provider_id } = caller
      const bytes = Buffer.from(JSON.stringify(bundle))
      const isBusy = checker.waiting() >= maxWaiting
      const at = now()
      const due = { provider_id, id, at, until: isBusy ? at : at + leaseMs }
      const claim = await database.transaction(async (tx) => {
        const claimed = await claimForCheck(tx, due)
        if (claimed === undefined) throw notFound()
        const facts = await findFacts(tx, { provider_id, id, at })
        const url = facts?.sigstore_bundle_url ?? null
        await saveBundle(tx, {
          provider_id,
          model_id: id,
          source: 'upload',
          url,
          bytes,
          sha256: sha256(bytes),
          received_at: at,
        })
        await events.record(tx, {
          provider_id,
          actor: caller.actor,
          action: 'model.bundle_uploaded',
          subject: ['model', id],
          after: { bundle_sha256: sha256(bytes) },
        })
        return claimed
      })
      // Already stored: if something fails here, the job checks it once the claim expires.
      if (!isBusy) await check({ provider_id, id, claim }).catch(onFailure)
      return recordFor(await getOwn(caller, id))
    },

    /* ---- the job ---- */

    /** Checks every bundle that is due. */
    async run(signal: AbortSignal): Promise<void> {
      await refreshRoot()
      const until = now() + patienceMs
      const spent = new Map<string, number>()
      const checkOrPostpone = async (due: DueBundle) => {
        const began = now()
        const before = spent.get(due.provider_id) ?? 0
        if (before >= fairMs) return database.transaction((tx) => postpone(tx, due, began + postponedMs))
        await check(due)
        spent.set(due.provider_id, (spent.get(due.provider_id) ?? 0) + now() - began)
      }
      while (!signal.aborted && now() < until) {
        const due = await database.transaction((tx) =>
          claimDue(tx, { at: now(), until: now() + leaseMs, limit: batch }),
        )
        const waiting = [...due]
        const lane = async () => {
          for (let next = waiting.shift(); next && !signal.aborted; next = waiting.shift()) await checkOrPostpone(next)
        }
        const ended = await Promise.allSettled(Array.from({ length: atOnce }, lane))
        for (const one of ended) if (one.status === 'rejected') throw one.reason
        if (due.length < batch) return
      }
    },
  }
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** The part of a verdict that goes into the audit trail. */
const reportedFields = (verdict: BundleVerdict | undefined) => ({
  reason: verdict?.reason ?? null,
  signer: verdict?.signer ?? null,
  signed_digest: verdict?.signed_digest ?? null,
})

export type BundleService = ReturnType<typeof createBundleService>
