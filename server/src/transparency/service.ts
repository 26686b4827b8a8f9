import type { LoggedFact } from '@countersign/sdk/contract'
import { formatProof, formatVkey, type LogPolicy } from '@countersign/sdk/log'
import type { Disclosure, EntryType } from '@countersign/sdk/log/entries'
import { formatBundle, inclusionProof, levelWidth, type Tile, tilePath, tileWidth } from '@countersign/sdk/log/tiles'
import type { Database } from '../db/engine.ts'
import { lockProvider } from '../db/lock.ts'
import { timeOf } from '../db/times.ts'
import type { NewId } from '../ids.ts'
import type { Egress } from '../outbound/egress.ts'
import { seal } from '../signing/rules.ts'
import type { NamedFact } from '../verifications/service.ts'
import { registryOwner } from './facts-store.ts'
import { enterKeys, enterProvider, logOpening, settleOwner } from './log-fact.ts'
import { createLogSigners, isSigning, noteKeyOf } from './log-signers.ts'
import { factTypeOf, isBeingLogged, isContradicted, linesOf, mayBeAbsent, newLogKey } from './rules.ts'
import { createSequencer } from './sequencer.ts'
import { createStanding } from './standing.ts'
import { listLogged } from './store.ts'
import { createSuccession, proveSuccessors } from './succession.ts'
import {
  type CheckpointRow,
  countEntries,
  findCheckpoint,
  findEntries,
  findLatestCheckpoint,
  findOldestPending,
  findOwner,
  findState,
  findTile,
  insertLogKey,
  insertState,
  type LogState,
  listCosignedSizes,
  listEntries,
  listEntriesOfType,
  listLogKeys,
  listUnlogged,
  listWithUnloggedSignatures,
  markOpened,
  setHalted,
} from './tree-store.ts'
import { createWitnesses, hasQuorum, listPolicyWitnesses } from './witnesses.ts'

interface Deps {
  database: Database
  egress: Pick<Egress, 'fetch'>
  encryptionKey: Buffer | null
  policy: LogPolicy | null
  publicUrl: string
  /** Names this process. */
  holder: string
  now: () => number
  newId: NewId
  onFailure: (error: unknown) => undefined
  onHalt: (why: NonNullable<LogState['halted']>) => void
}

/** A signed tree with its cosignatures. */
export interface Checkpoint {
  note: string
  size: number
  isWitnessed: boolean
}

/** Each append costs minting 5 ms of the event loop (docs/benchmarks.md), so not more often. */
const everyMs = 1_000
/** A checkpoint without a quorum is published after this. */
const patienceMs = 5_000
const askAgainMs = 5_000
const importBatch = 20
/** How many earlier checkpoints may be shown in place of one that witnesses have not seen. */
const lookBack = 20
/** The most proofs in one answer. `/log/proof/INDEX` has the others. */
const mostProofs = 100

/** The transparency log: what a verdict rests on, in a tree that only grows and that anyone can check. */
export const createTransparencyService = ({
  database,
  egress,
  encryptionKey,
  policy,
  publicUrl,
  holder,
  now,
  newId,
  onFailure,
  onHalt,
}: Deps) => {
  const signersOf = createLogSigners({ encryptionKey, now })
  const sequencer = createSequencer({ database, signersOf, holder, now })
  const succession = createSuccession({ database, signersOf, now })
  const witnesses = createWitnesses({ database, egress, policy, now })
  const ownOrigin = `${new URL(publicUrl).host}/log`
  let askedAt = Number.NEGATIVE_INFINITY
  let underWay: Promise<LogState | undefined> | undefined
  let timer: NodeJS.Timeout | undefined
  let isStopped = true

  const readTile = async ({ level, index, width }: Tile): Promise<Uint8Array> => {
    if (level === 'entries') return new Uint8Array()
    const row = await findTile(database.read, { level, tile: index })
    return new Uint8Array(row?.hashes.subarray(0, width * 32) ?? [])
  }

  const ownKeys = async (origin: string) => (await listLogKeys(database.read)).map((key) => noteKeyOf(origin, key))

  /* ---- opening ---- */

  /** Everything that the registry held before it had a log, and then the entry that says so. */
  const open = async ({ origin, opened_at }: LogState) => {
    if (opened_at !== null) return
    for (const id of await listUnlogged(database.read, importBatch))
      await database.transaction((tx) => enterProvider({ now, newId, isImport: true }, tx, id))
    if ((await listUnlogged(database.read, 1)).length > 0) return
    await database.transaction(async (tx) => {
      if (await markOpened(tx, now()))
        await logOpening({ now, newId }, tx, { origin, imported: await countEntries(tx) })
    })
  }

  /** What registries of earlier versions did not log. */
  const logMissingSignatures = async () => {
    for (const owner of await listWithUnloggedSignatures(database.read))
      await database.transaction(async (tx) => {
        await lockProvider(database, tx, owner)
        await settleOwner({ now, newId, isImport: true }, tx, owner)
      })
  }

  /* ---- appending ---- */

  const halt = async (why: NonNullable<LogState['halted']>) => {
    await database.transaction((tx) => setHalted(tx, why))
    onHalt(why)
  }

  const askWitnesses = async ({ origin, halted }: LogState) => {
    if (!witnesses.isAsked) return
    const latest = await findLatestCheckpoint(database.read)
    if (!latest || (halted === null && hasQuorum(policy, latest))) return
    askedAt = now()
    const { isBehind, isUnanimous } = await witnesses.ask(latest, await ownKeys(origin), readTile, {
      isAgain: halted !== null,
    })
    if (isBehind && halted !== 'behind') await halt('behind')
    // After a restore: every witness has seen this tree and no larger one. A copy at another address, such as a drill, would be a fork.
    else if (isUnanimous && halted === 'restored' && origin === ownOrigin)
      await database.transaction((tx) => setHalted(tx, null))
  }

  const isTurnOf = (state: LogState) =>
    state.holder === holder || state.leased_until === null || state.leased_until <= now()

  /** Returns the state if the witnesses should be asked now. */
  const append = async (): Promise<LogState | undefined> => {
    const state = await findState(database.read)
    if (!state) return undefined
    await open(state)
    const appended = state.halted === null ? await sequencer.sequence() : undefined
    if (state.halted === null && isTurnOf(state)) await succession.proceed(state)
    const isDue = appended !== undefined || (isTurnOf(state) && now() - askedAt >= askAgainMs)
    return isDue ? state : undefined
  }

  /** Runs one at a time in this process. */
  const appendInTurn = (): Promise<LogState | undefined> => {
    underWay ??= append().finally(() => {
      underWay = undefined
    })
    return underWay
  }

  const later = () => {
    timer = setTimeout(async () => {
      const due = await appendInTurn().catch(onFailure)
      // Entries don't wait for slow witnesses.
      if (due) askWitnesses(due).catch(onFailure)
      if (!isStopped) later()
    }, everyMs)
    timer.unref()
  }

  /* ---- reading ---- */

  const noteOf = ({ note, cosignatures }: CheckpointRow) =>
    `${note}${cosignatures.map(({ line }) => `${line}\n`).join('')}`

  /** The newest checkpoint that enough witnesses have seen. */
  const findWitnessed = async (): Promise<CheckpointRow | undefined> => {
    for (const candidate of await listCosignedSizes(database.read, lookBack)) {
      const found = await findCheckpoint(database.read, candidate)
      if (found && hasQuorum(policy, found)) return found
    }
    return undefined
  }

  /** Proves entries in the newest checkpoint that a quorum has seen, if it has them, else in the newest. Reads each tile once. */
  const openProver = async () => {
    const latest = await findLatestCheckpoint(database.read)
    const witnessed = policy === null ? undefined : await findWitnessed()
    const tiles = new Map<string, Promise<Uint8Array>>()
    const read = (tile: Tile) => {
      const found = tiles.get(tilePath(tile)) ?? readTile(tile)
      tiles.set(tilePath(tile), found)
      return found
    }
    return async (index: number, extra?: Buffer): Promise<string | null> => {
      const checkpoint = witnessed && Number(witnessed.size) > index ? witnessed : latest
      if (!checkpoint || Number(checkpoint.size) <= index) return null
      const hashes = await inclusionProof(index, Number(checkpoint.size), read)
      return formatProof({ index, hashes, checkpoint: noteOf(checkpoint), ...(extra && { extra }) })
    }
  }

  const prove = async (owner: string, named: readonly NamedFact[], isOwn: boolean): Promise<LoggedFact[]> => {
    const subjects = [...new Set(named.map(({ subject }) => subject))]
    const logged = new Map(
      (await listLogged(database.read, owner, subjects)).map((row) => [`${row.subject} ${row.fact}`, row]),
    )
    const ids = named.flatMap(({ subject, fact }) => logged.get(`${subject} ${fact}`)?.entry_id ?? [])
    const entries = new Map((await findEntries(database.read, ids)).map((entry) => [entry.id, entry]))
    const proofOf = await openProver()
    const asked = named
      .map((each) => ({ ...each, entry: entries.get(logged.get(`${each.subject} ${each.fact}`)?.entry_id ?? '') }))
      .map((each) => ({
        ...each,
        isDenied: each.entry !== undefined && isContradicted(each.types, factTypeOf(each.entry.type as EntryType)),
      }))
      .filter(({ types, isDenied }) => isDenied || !mayBeAbsent(types))
    return Promise.all(
      asked.map(async ({ subject, fact, entry, isDenied }, place): Promise<LoggedFact> => {
        const nothing = { subject, fact, type: null, at: null, index: null, entry: null, disclosures: [], proof: null }
        if (!entry) return { ...nothing, state: 'not_logged' }
        const isHidden = entry.is_public === 0 && !isOwn
        // Only its provider may know which private entry it is: its time would reveal that.
        const found = { type: entry.type, at: isHidden ? null : new Date(entry.at).toISOString() }
        if (entry.position === null)
          return {
            ...nothing,
            ...found,
            state: !isDenied && isBeingLogged(entry.at, now()) ? 'being_logged' : 'not_logged',
          }
        if (isHidden) return { ...nothing, ...found, state: isDenied ? 'not_logged' : 'logged_privately' }
        const index = Number(entry.position)
        return {
          ...nothing,
          ...found,
          // With the entry that denies it, so that others can check that.
          state: isDenied ? 'not_logged' : entry.is_public === 1 ? 'logged' : 'logged_privately',
          index,
          entry: entry.leaf,
          disclosures: entry.revealed === null ? [] : JSON.parse(entry.revealed),
          proof: place < mostProofs ? await proofOf(index) : null,
        }
      }),
    )
  }

  /** The entry that added a key which has been retired since: it has the key itself, which links made before must show. */
  const proveAddition = async (fact: LoggedFact): Promise<LoggedFact> => {
    const type = 'registry_key.added'
    const added = (await listEntriesOfType(database.read, { owner: registryOwner, type })).findLast(
      ({ leaf }) => JSON.parse(leaf).kid === fact.subject,
    )
    if (!added) return fact
    const index = Number(added.position)
    const proof = await (await openProver())(index)
    return { ...fact, type, at: JSON.parse(added.leaf).at, index, entry: added.leaf, proof }
  }

  const checkpoint = async (): Promise<Checkpoint | undefined> => {
    const latest = await findLatestCheckpoint(database.read)
    if (!latest) return undefined
    const witnessed = hasQuorum(policy, latest) || policy === null ? latest : await findWitnessed()
    const shown = witnessed && (witnessed === latest || now() - latest.at < patienceMs) ? witnessed : latest
    return { note: noteOf(shown), size: Number(shown.size), isWitnessed: hasQuorum(policy, shown) }
  }

  return {
    /** Creates the log at the first start. Its origin never changes. Later, completes the tree before anyone reads it. */
    async prepare() {
      if (encryptionKey === null) return
      if (await findState(database.read)) {
        await sequencer.finish().catch(onFailure)
        // The registry starts without it as well, for example while its disk is full.
        await logMissingSignatures().catch(onFailure)
        return
      }
      const origin = ownOrigin
      await database.transaction(async (tx) => {
        const at = now()
        if (!(await insertState(tx, { origin, at }))) return
        await insertLogKey(tx, {
          ...newLogKey(origin, (plain, label) => seal(plain, encryptionKey, label)),
          created_at: at,
          signs_from: at,
          signs_until: null,
        })
        await enterKeys({ now, newId }, tx)
        if ((await listUnlogged(tx, 1)).length > 0) return
        await markOpened(tx, at)
        await logOpening({ now, newId }, tx, { origin, imported: await countEntries(tx) })
      })
    },

    /** Appends what is pending and asks the witnesses. */
    async sequence() {
      const due = await appendInTurn()
      if (due) await askWitnesses(due)
    },

    start() {
      isStopped = false
      later()
    },

    /** Work in progress is finished. */
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await underWay?.catch(() => {})
    },

    /** The newest checkpoint that a quorum has seen; the newest of all if none of the last seconds has a quorum. */
    checkpoint,

    /** How far the facts behind a link are in the log, without proofs. Fast enough for each check of a link. */
    standing: createStanding({ database, checkpoint, hasWitnesses: policy !== null && policy.quorum !== 'none', now }),

    /** The bytes of a tile; undefined if the tree is smaller. */
    async tile({ level, index, width }: Tile): Promise<Uint8Array | undefined> {
      const state = await findState(database.read)
      if (!state || levelWidth(level, Number(state.size)) - index * tileWidth < width) return undefined
      if (level !== 'entries') return readTile({ level, index, width })
      const first = index * tileWidth
      const entries = await listEntries(database.read, { first, end: first + width })
      return formatBundle(entries.map(({ leaf }) => Buffer.from(leaf)))
    },

    /** The proof of one entry, with the entry as extra data; undefined if the tree is smaller. */
    async proofFile(index: number): Promise<string | undefined> {
      const [entry] = await listEntries(database.read, { first: index, end: index + 1 })
      return (entry && (await (await openProver())(index, Buffer.from(entry.leaf)))) ?? undefined
    },

    /** The texts that the public entries of a bundle hide, by index; undefined if the tree is smaller. Erased texts are absent. */
    async revealed(bundle: number): Promise<Record<string, Disclosure[]> | undefined> {
      const state = await findState(database.read)
      const first = bundle * tileWidth
      if (!state || first >= Number(state.size)) return undefined
      const entries = await listEntries(database.read, { first, end: first + tileWidth })
      return Object.fromEntries(
        entries.flatMap(({ position, is_public, revealed }) =>
          is_public === 1 && revealed !== null ? [[String(position), JSON.parse(revealed) as Disclosure[]]] : [],
        ),
      )
    },

    /** The last entries about these facts of a provider, and about the signing key, for anyone who knows the link. */
    async factsOf(provider_id: string, named: readonly NamedFact[], key: NamedFact): Promise<LoggedFact[]> {
      const facts = [...(await prove(provider_id, named, false)), ...(await prove(registryOwner, [key], false))]
      return Promise.all(
        facts.map((each) =>
          each.state === 'logged' && each.type === 'registry_key.retired' ? proveAddition(each) : each,
        ),
      )
    },

    /** The last entry of every fact of a subject that the viewer may see. */
    async subjectFacts(subject: string, viewer: string | undefined): Promise<LoggedFact[]> {
      const owner = await findOwner(database.read, subject)
      if (owner === undefined) return []
      const rows = await listLogged(database.read, owner, [subject])
      const seen = rows.filter(({ entry_id, is_public }) => entry_id !== null && (is_public === 1 || viewer === owner))
      return prove(
        owner,
        seen.map(({ fact }) => ({ subject, fact })),
        viewer === owner,
      )
    },

    /** What clients need to pin: the origin, the keys and a policy that the registry suggests. */
    async describe() {
      const state = await findState(database.read)
      if (!state) return undefined
      const signing = (await listLogKeys(database.read)).filter((key) => isSigning(key, now()))
      const vkeys = signing.map((key) => formatVkey(noteKeyOf(state.origin, key)))
      const successors = await proveSuccessors(database.read, {
        hasQuorum: (checkpoint) => hasQuorum(policy, checkpoint),
        readTile,
      })
      const url = `${publicUrl}/log`
      const suggested = vkeys.map((vkey) => `log ${vkey} ${url}\n`).join('') + linesOf(policy)
      return { origin: state.origin, url, vkeys, successors, opened_at: timeOf(state.opened_at), policy: suggested }
    },

    /** For metrics. */
    async state() {
      const [state, oldest, seen] = await Promise.all([
        findState(database.read),
        findOldestPending(database.read),
        listPolicyWitnesses(database.read, policy),
      ])
      return {
        size: Number(state?.size ?? 0),
        isHalted: state?.halted != null,
        oldestPendingMs: oldest ? Math.max(0, now() - oldest.at) : 0,
        witnesses: seen.map(({ name, size }) => ({
          name,
          behind: Math.max(0, Number(state?.size ?? 0) - Number(size)),
        })),
      }
    },
  }
}

export type TransparencyService = ReturnType<typeof createTransparencyService>
