import { randomBytes } from 'node:crypto'
import type { EntryType } from '@countersign/sdk/log/entries'
import type { Flag, LogFactTable, LogPendingTable, Tx } from '../db/schema.ts'
import type { NewId } from '../ids.ts'
import {
  findPredecessor,
  hasProvenDomain,
  listBundles,
  listDeploymentsOf,
  listDeploymentsOfPlatform,
  readFacts,
  registryOwner,
} from './facts-store.ts'
import { insertNotices } from './notice-store.ts'
import { contentOf, domainOf, endOf, type Fact, factTypeOf, isNoticed, leafOf, touchedBy } from './rules.ts'
import { enterLog, findTimes, insertPending, isInLog, type LoggedFact, listLogged, putLogged } from './store.ts'

interface Deps {
  now: () => number
  newId: NewId
  /** Facts from before there was a log: no one is emailed about them. */
  isImport?: boolean
}

/** The line of the trail that reports a change. */
interface Change {
  provider_id: string
  action: string
  subject: readonly [type: string, id: string]
}

interface Step {
  type: EntryType
  fact: Pick<Fact, 'subject' | 'fact' | 'isPublic' | 'clear' | 'hidden'>
  revision: number
}

const keyOf = ({ subject, fact }: Pick<LoggedFact, 'subject' | 'fact'>) => `${subject} ${fact}`

/** The entry for a fact as it is now; undefined if the log says so already. */
const entryFor = (fact: Fact, logged: LoggedFact | undefined): EntryType | '' | undefined => {
  const content = contentOf(fact)
  const isSame = logged?.type === fact.type && logged.digest === content
  // Facts that were logged in clear stay so; facts that become public are logged again in clear.
  if (isSame && (logged.is_public === 1 || !fact.isPublic)) return undefined
  if (fact.type === '') return logged && logged.type !== '' ? (endOf[logged.type as EntryType] ?? '') : ''
  return fact.type === 'version.registered' &&
    logged !== undefined &&
    !isSame &&
    logged.is_public === Number(fact.isPublic)
    ? 'version.edited'
    : fact.type
}

/** Compares what the log says about these subjects with what is true now, and writes the entries that are missing. */
const settle = async (
  { now, newId, isImport = false }: Deps,
  tx: Tx,
  owner: string,
  subjects?: readonly string[],
): Promise<void> => {
  const facts = await readFacts(tx, owner, subjects)
  const logged = new Map((await listLogged(tx, owner, subjects)).map((row) => [keyOf(row), row]))
  const isDeleted = facts.some(({ type }) => type === 'provider.deleted')
  const unchanged = new Set(
    facts.flatMap((fact) => (entryFor(fact, logged.get(keyOf(fact))) === undefined ? [keyOf(fact)] : [])),
  )
  const changing = [...logged.values()].filter((row) => row.type !== '' && !unchanged.has(keyOf(row)))
  const earlier = await findTimes(
    tx,
    changing.flatMap(({ entry_id }) => entry_id ?? []),
  )
  const pending: LogPendingTable[] = []
  const rows: LogFactTable[] = []
  const write = ({ type, fact, revision }: Step, before: LoggedFact | undefined): string => {
    // Clocks of replicas differ, and jump.
    const at = Math.max(now(), earlier.get(before?.entry_id ?? '') ?? 0)
    // The body of an ID: it sorts by time and is not shown.
    const id = newId('evt').slice('evt_'.length)
    const { leaf, revealed } = leafOf({ ...fact, type, at, newSalt: () => randomBytes(32) })
    const is_public: Flag = fact.isPublic ? 1 : 0
    pending.push({
      revision,
      position: null,
      id,
      owner,
      subject: fact.subject,
      type,
      is_public,
      at,
      leaf: Buffer.from(leaf).toString(),
      revealed,
      domain: domainOf(fact.fact),
    })
    return id
  }
  for (const fact of facts) {
    const before = logged.get(keyOf(fact))
    logged.delete(keyOf(fact))
    const type = entryFor(fact, before)
    if (type === undefined) continue
    const revision = (before?.revision ?? 0) + 1
    const entry_id = type === '' ? null : write({ type, fact, revision }, before)
    rows.push({
      provider_id: owner,
      subject: fact.subject,
      fact: fact.fact,
      revision,
      type: factTypeOf(fact.type),
      digest: contentOf(fact),
      is_public: fact.isPublic ? 1 : 0,
      entry_id,
    })
  }
  const isAuthorized = (subject: string) =>
    facts.some((fact) => fact.subject === subject && fact.type === 'deployment.authorized')
  for (const row of logged.values()) {
    if (row.type === '') continue
    const type = endOf[row.type as EntryType]
    const revision = row.revision + 1
    // A deleted account ends with one entry; nothing rests on a server that is no longer authorized.
    const isSilent = isDeleted || (row.fact === 'deployment' && !isAuthorized(row.subject))
    const ended: Step['fact'] = {
      subject: row.subject,
      fact: row.fact,
      isPublic: row.is_public === 1,
      clear: clearOfEnded(owner, row),
    }
    const entry_id = type === undefined || isSilent ? null : write({ type, fact: ended, revision }, row)
    rows.push({ ...row, revision, type: '', digest: '', entry_id })
  }
  await insertPending(tx, pending)
  if (!isImport) await insertNotices(tx, noticesOf(owner, pending, now()))
  await putLogged(tx, rows)
}

/** One time for all entries of an act. */
const noticesOf = (provider_id: string, pending: readonly LogPendingTable[], at: number) =>
  pending
    .filter(({ type }) => isNoticed(type))
    .map(({ id, type }) => ({ provider_id, entry_id: id, type, at, mailed_at: null, mail_id: null }))

/** The ID in the name of a fact, such as `domain acme.example`. */
const clearOfEnded = (provider: string, { subject, fact }: LoggedFact): Fact['clear'] => {
  const [kind, id = ''] = fact.split(' ')
  const about: Record<string, Record<string, string>> = {
    domain: { domain: id },
    authorization: { deployment: subject, model: id },
    deployment: { deployment: subject },
    platform: { deployment: subject, workload: id },
    signer: { signer: subject },
    archived: { model: subject },
    bundle: { model: subject },
  }
  return { provider, ...about[kind ?? ''] }
}

const subjectsOf = async (tx: Tx, { provider_id, action, subject }: Change): Promise<string[] | undefined> => {
  const touch = Object.hasOwn(touchedBy, action) ? touchedBy[action as keyof typeof touchedBy] : null
  const [, id] = subject
  switch (touch) {
    case 'provider':
      return [provider_id]
    case 'provider and bundles':
      return [provider_id, ...(await listBundles(tx, provider_id))]
    case 'signer and bundles':
      return [id, ...(await listBundles(tx, provider_id))]
    case 'deployment':
      return [id]
    case 'authorization':
      return [id.split(' ')[1] ?? id]
    case 'platform':
      return listDeploymentsOfPlatform(tx, provider_id, id)
    case 'version':
      return [id]
    case 'version and deployments': {
      const predecessor = await findPredecessor(tx, provider_id, id)
      return [id, ...(predecessor === null ? [] : [predecessor]), ...(await listDeploymentsOf(tx, provider_id, id))]
    }
    default:
      return undefined
  }
}

/**
 * Logs what a change made true or ended, in its transaction and after it. Providers are in the log from their first proven domain on;
 * then everything about them that a verdict rests on is logged.
 */
export const logFact = async (deps: Deps, tx: Tx, change: Change): Promise<void> => {
  const { provider_id } = change
  if (provider_id === registryOwner) {
    if (change.action.startsWith('signing_key.')) await settle(deps, tx, registryOwner)
    return
  }
  if (!Object.hasOwn(touchedBy, change.action) || touchedBy[change.action as keyof typeof touchedBy] === null) return
  if (!(await isInLog(tx, provider_id))) {
    if (change.action.startsWith('domain.')) await enterProvider(deps, tx, provider_id)
    return
  }
  const subjects = await subjectsOf(tx, change)
  if (subjects) await settle(deps, tx, provider_id, change.action === 'provider.deleted' ? undefined : subjects)
}

/** Logs everything about a provider that is not in the log yet, if it has proven a domain. */
export const enterProvider = async (deps: Deps, tx: Tx, provider_id: string): Promise<void> => {
  if (!(await hasProvenDomain(tx, provider_id))) return
  if (await enterLog(tx, { owner: provider_id, subject: provider_id, fact: 'provider' }))
    await settle(deps, tx, provider_id)
}

/** Logs what differs from the log in everything about a provider, or about the registry’s signing keys. */
export const settleOwner = (deps: Deps, tx: Tx, owner: string): Promise<void> => settle(deps, tx, owner)

/** Logs the registry’s signing keys. */
export const enterKeys = (deps: Deps, tx: Tx): Promise<void> => settle(deps, tx, registryOwner)

interface OwnEntry {
  type: EntryType
  clear: Fact['clear']
  /** Orders it among the entries that wait. */
  revision: number
}

/** Logs something about the log itself, and about no provider. */
export const logOwnEntry = ({ now, newId }: Deps, tx: Tx, { type, clear, revision }: OwnEntry): Promise<void> => {
  const at = now()
  const { leaf } = leafOf({ type, at, isPublic: true, clear, newSalt: () => randomBytes(32) })
  return insertPending(tx, [
    {
      revision,
      id: newId('evt').slice('evt_'.length),
      owner: registryOwner,
      subject: 'log',
      type,
      is_public: 1,
      at,
      leaf: Buffer.from(leaf).toString(),
      revealed: null,
    },
  ])
}

/** Everything from before the log is logged by now. This comes after it, so its revision is 2. */
export const logOpening = (deps: Deps, tx: Tx, clear: { origin: string; imported: number }): Promise<void> =>
  logOwnEntry(deps, tx, { type: 'log.opened', clear, revision: 2 })
