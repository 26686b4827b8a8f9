import {
  constantPresenceOf,
  type Endpoint,
  isDecidedAgain,
  type PresenceState,
  presenceOf,
} from '@countersign/sdk/contract'
import { isAnywhereProtected, isPersonProtected, isProtected } from '../db/factors.ts'
import { lockProvider } from '../db/lock.ts'
import type { Db, Tx } from '../db/schema.ts'
import type { ScopedDatabase } from '../db/scoped.ts'
import type { Caller } from '../http/callers.ts'
import type { Gate, GatedCall } from '../http/endpoint.ts'
import type { PresenceService } from '../presence/service.ts'
import { factorRequired, personRequired } from './rules.ts'
import type { ChangeService, StagedCall } from './service.ts'
import { countArchived, findDetails, findReviewed, isAuthorizedForModel, isLatestArchived } from './store.ts'

interface Deps {
  database: ScopedDatabase
  changes: Pick<ChangeService, 'stage' | 'stop'>
  presence: Pick<PresenceService, 'require'>
  now: () => number
}

type Gated = GatedCall & { caller: Caller }

const dayMs = 24 * 3_600_000

/** A key, a job or an approved machine. */
const hasNoPerson = ({ session_id, isDevice }: Caller) => session_id === null || isDevice

class NeededByNow extends Error {
  override readonly name = 'NeededByNow'
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/** The one place that asks whether a call needs presence, before anything changes. */
export const createGate = ({ database, changes, presence, now }: Deps): Gate => {
  const readState = async (db: Db, { provider_id, key_id }: Caller, { context }: GatedCall): Promise<PresenceState> => {
    const params = (context.params ?? {}) as Record<string, unknown>
    const body = (context.body ?? {}) as Record<string, unknown>
    const details = await findDetails(db, provider_id)
    return {
      company_name: details?.company_name ?? null,
      website: details?.website ?? null,
      support_email: details?.support_email ?? null,
      key_id,
      isAuthorized:
        body.deployment_id !== undefined &&
        (await isAuthorizedForModel(db, {
          provider_id,
          model_id: textOf(params.id),
          deployment_id: textOf(body.deployment_id),
        })),
      isLatestArchived:
        body.copy_authorizations === true &&
        (await isLatestArchived(db, { provider_id, identifier: textOf(body.api_model_identifier) })),
      archived: await countArchived(db, { provider_id, since: now() - dayMs }),
      reviewed: body.decision === undefined ? null : await findReviewed(db, { provider_id, id: textOf(params.id) }),
    }
  }

  const presenceFor = async (db: Db, { caller, ...call }: Gated) =>
    presenceOf(call.endpoint, {
      params: (call.context.params ?? {}) as Record<string, unknown>,
      body: (call.context.body ?? {}) as Record<string, unknown>,
      state: await readState(db, caller, call),
    })

  /** Others may have archived, renamed or revoked something since, even while this call waited for the server of a logo. */
  const decideAgain = (call: Gated) => async (tx: Tx) => {
    await lockProvider(database, tx, call.caller.provider_id)
    if ((await presenceFor(tx, call)) === 'needed') throw new NeededByNow()
  }

  const stage = async ({ caller, endpoint, context, body }: Gated, work: () => Promise<unknown>) => {
    await database.rehearse(work)
    const call: StagedCall = { endpoint, params: context.params, body, ifMatch: context.ifMatch }
    return { staged: await changes.stage(caller, call) }
  }

  const requirePresence = async ({ caller, context }: Gated) => {
    // Without a factor, they cannot prove presence.
    if (caller.person_id !== null && !(await isPersonProtected(database.read, caller.person_id, now())))
      throw factorRequired()
    await presence.require({ caller, act: context.act(), cookies: context.visitor().cookies })
  }

  /** For calls that need presence. */
  const withPresence = async <T>(call: Gated, work: () => Promise<T>) => {
    if (hasNoPerson(call.caller)) return stage(call, work)
    await requirePresence(call)
    return { answer: await work() }
  }

  /** A call about a person concerns all their providers, whichever they act for. */
  const isGated = async (db: Db, { provider_id, person_id }: Caller, endpoint: Endpoint): Promise<boolean> =>
    (await isProtected(db, provider_id, now())) ||
    (constantPresenceOf(endpoint) === 'personal' &&
      person_id !== null &&
      (await isAnywhereProtected(db, person_id, now())))

  /** Protection may take effect while a call waits, for example for the server of a logo. */
  const checkIsOpen = (caller: Caller, endpoint: Endpoint) => async (tx: Tx) => {
    if (await isGated(tx, caller, endpoint)) throw new NeededByNow()
  }

  const decide = async <T>(gated: Gated, work: () => Promise<T>) => {
    const { caller, endpoint, context, body } = gated
    const isKey = caller.session_id === null
    const needed = await presenceFor(database.read, gated)
    if (needed === 'needed') return withPresence(gated, work)
    if (needed === 'personal') {
      if (isKey) throw personRequired()
      await requirePresence(gated)
    }
    if (needed === 'stop' && isKey) {
      const { params } = context
      const stopped = await changes.stop(caller, { endpoint, params, body, ifMatch: context.ifMatch }, work)
      return stopped ?? stage(gated, work)
    }
    if (!isDecidedAgain(endpoint)) return { answer: await work() }
    try {
      return { answer: await database.preceded(decideAgain(gated), work) }
    } catch (error) {
      if (error instanceof NeededByNow) return withPresence(gated, work)
      throw error
    }
  }

  return async (call, work) => {
    const { endpoint } = call
    const caller = call.context.caller as Caller | undefined
    // Also for people without a passkey: a stolen file must not give access to their ways to sign in.
    if (caller?.isDevice && constantPresenceOf(endpoint) === 'personal') throw personRequired()
    if (!caller) return { answer: await work() }
    const gated = { ...call, caller }
    if (await isGated(database.read, caller, endpoint)) return decide(gated, work)
    if (constantPresenceOf(endpoint) === 'none') return { answer: await work() }
    try {
      return { answer: await database.preceded(checkIsOpen(caller, endpoint), work) }
    } catch (error) {
      if (error instanceof NeededByNow) return decide(gated, work)
      throw error
    }
  }
}
