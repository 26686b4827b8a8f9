import { createHash } from 'node:crypto'
import {
  formatSignature,
  isQuorum,
  LogError,
  type LogPolicy,
  type NoteKey,
  parseCheckpoint,
  parseNote,
  verifyNote,
} from '@countersign/sdk/log'
import { consistencyProof, type ReadTile, rootFromTiles } from '@countersign/sdk/log/tiles'
import type { Database } from '../db/engine.ts'
import type { Db } from '../db/schema.ts'
import type { Egress } from '../outbound/egress.ts'
import { type CheckpointRow, findState, insertCosignature, listWitnesses, putWitness } from './tree-store.ts'

interface Deps {
  database: Database
  egress: Pick<Egress, 'fetch'>
  /** The witnesses to ask, each with an address, and the quorum. */
  policy: LogPolicy | null
  now: () => number
}

/** What a witness answered: whether it cosigned, and the size that it claims to have seen if that is larger than ours. */
interface Answer {
  name: string
  isCosigned: boolean
  larger: number | null
  /** It showed a checkpoint of another tree with a valid signature of our own key. */
  hasEvidence: boolean
}

export interface Witnessing {
  isQuorum: boolean
  /** The log was rolled back: witnesses have seen a larger tree. */
  isBehind: boolean
  /** Every witness cosigned. */
  isUnanimous: boolean
  /** Witnesses that claim to have seen more entries. */
  larger: { name: string; size: number }[]
  /** Witnesses that showed another tree with this log's own signature. */
  contradicting: string[]
}

const asking = { maxBytes: 64_000, timeoutMs: 5_000, maxRedirects: 0 } as const

/** Whether these cosigners are enough. Without a policy, there are no witnesses. */
export const hasQuorum = (policy: LogPolicy | null, { cosignatures }: Pick<CheckpointRow, 'cosignatures'>): boolean =>
  policy !== null && isQuorum(policy, new Set(cosignatures.map(({ witness }) => witness)))

/** The witnesses with an address, by name. */
export const askedWitnesses = (policy: LogPolicy | null) =>
  [...(policy?.witnesses ?? [])].flatMap(([name, { key, url }]) => (url === undefined ? [] : [{ name, key, url }]))

/** What the witnesses of the policy answered last. Removed ones stay in the table. */
export const listPolicyWitnesses = async (db: Db, policy: LogPolicy | null) => {
  const names = new Set(askedWitnesses(policy).map(({ name }) => name))
  return (await listWitnesses(db)).filter(({ name }) => names.has(name))
}

/** Asks the witnesses of a checkpoint for their cosignatures (c2sp.org/tlog-witness). */
export const createWitnesses = ({ database, egress, policy, now }: Deps) => {
  const witnesses = askedWitnesses(policy)
  /** Those that have not answered yet: a slow one is not asked again meanwhile, and delays no other. */
  const busy = new Set<string>()

  const bodyOf = async (old: number, checkpoint: CheckpointRow, read: ReadTile) => {
    const hashes = await consistencyProof(old, Number(checkpoint.size), read)
    return `old ${old}\n${hashes.map((hash) => `${Buffer.from(hash).toString('base64')}\n`).join('')}\n${checkpoint.note}`
  }

  const post = async (url: string, body: string) => {
    const { status, body: answer } = await egress.fetch(`${url.replace(/\/$/, '')}/add-checkpoint`, {
      ...asking,
      method: 'POST',
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body,
    })
    return { status, text: answer.toString('utf8') }
  }

  /** The tree may have grown since the witness was asked, and anyone may have shown it the new one. */
  const sizeNow = async () => Number((await findState(database.read))?.size ?? 0)

  /** A witness may be wrong. A checkpoint that we signed, and that is larger or of another tree, is proof that this log was rolled back. */
  const hasOtherTree = async (
    url: string,
    checkpoint: CheckpointRow,
    own: readonly NoteKey[],
    read: ReadTile,
  ): Promise<boolean> => {
    const { origin } = parseCheckpoint(parseNote(checkpoint.note).text)
    try {
      const hash = createHash('sha256').update(origin).digest('hex')
      const { status, body } = await egress.fetch(`${url.replace(/\/$/, '')}/${hash}/checkpoint`, asking)
      if (status !== 200) return false
      const note = parseNote(body.toString('utf8'))
      const seen = parseCheckpoint(note.text)
      if (seen.origin !== origin || (await verifyNote(note, own)).length === 0) return false
      return seen.size > (await sizeNow()) || Buffer.compare(await rootFromTiles(seen.size, read), seen.root) !== 0
    } catch {
      return false
    }
  }

  const lineOf = async (checkpoint: CheckpointRow, answer: string, key: NoteKey): Promise<string> => {
    const { text } = parseNote(checkpoint.note)
    const { signatures } = parseNote(`${text}\n${answer}`)
    const own = signatures.filter(({ name, keyId }) => name === key.name && keyId === key.keyId)
    if ((await verifyNote({ text, signatures: own }, [key])).length === 0)
      throw new LogError('Its answer has no valid cosignature')
    return own.slice(0, 1).map(formatSignature).join('')
  }

  const ask = async (
    { name, key, url }: ReturnType<typeof askedWitnesses>[number],
    known: number,
    checkpoint: CheckpointRow,
    own: readonly NoteKey[],
    read: ReadTile,
  ): Promise<Answer> => {
    const size = Number(checkpoint.size)
    const failed = (trouble: string, claimed = known) =>
      database.transaction((tx) => putWitness(tx, { name, size: claimed, answered_at: now(), trouble }))
    const nothing: Answer = { name, isCosigned: false, larger: null, hasEvidence: false }
    try {
      let answer = await post(url, await bodyOf(Math.min(known, size), checkpoint, read))
      if (answer.status === 409) {
        const claimed = /^\d{1,15}\n$/.test(answer.text) ? Number(answer.text) : Number.NaN
        if (claimed > size && claimed <= (await sizeNow())) {
          await failed('it has seen a newer tree', claimed)
          return nothing
        }
        if (claimed > size) {
          await failed(`it has seen a tree of ${claimed} entries`, claimed)
          return { ...nothing, larger: claimed, hasEvidence: await hasOtherTree(url, checkpoint, own, read) }
        }
        if (claimed >= 0) answer = await post(url, await bodyOf(claimed, checkpoint, read))
      }
      if (answer.status !== 200) {
        await failed(`it answered ${answer.status}`)
        return { ...nothing, hasEvidence: answer.status === 422 && (await hasOtherTree(url, checkpoint, own, read)) }
      }
      const line = await lineOf(checkpoint, answer.text, key)
      await database.transaction(async (tx) => {
        await insertCosignature(tx, { size, witness: name, line, at: now() })
        await putWitness(tx, { name, size, answered_at: now(), trouble: null })
      })
      return { ...nothing, isCosigned: true }
    } catch (error) {
      await failed(error instanceof Error ? error.message : 'it could not be reached')
      return nothing
    }
  }

  return {
    policy,
    isAsked: witnesses.length > 0,

    /**
     * Asks those that have not cosigned it yet, all at once. `isAgain`: asks all, because stored cosignatures do not say what a witness
     * has seen since.
     */
    async ask(
      checkpoint: CheckpointRow,
      own: readonly NoteKey[],
      read: ReadTile,
      { isAgain = false }: { isAgain?: boolean } = {},
    ): Promise<Witnessing> {
      const known = new Map((await listWitnesses(database.read)).map(({ name, size }) => [name, Number(size)]))
      const done = new Set(isAgain ? [] : checkpoint.cosignatures.map(({ witness }) => witness))
      const answers = await Promise.all(
        witnesses
          .filter(({ name }) => !done.has(name) && !busy.has(name))
          .map(async (witness) => {
            const { name } = witness
            busy.add(name)
            return ask(witness, known.get(name) ?? 0, checkpoint, own, read).finally(() => busy.delete(name))
          }),
      )
      for (const { name, isCosigned } of answers) if (isCosigned) done.add(name)
      const larger = answers.flatMap(({ name, larger: size }) => (size === null ? [] : [{ name, size }]))
      const claiming = new Set(larger.map(({ name }) => name))
      const contradicting = answers.filter(({ hasEvidence }) => hasEvidence).map(({ name }) => name)
      return {
        isQuorum: policy !== null && isQuorum(policy, done),
        isBehind:
          contradicting.length > 0 ||
          (claiming.size > 0 && policy !== null && policy.quorum !== 'none' && isQuorum(policy, claiming)),
        isUnanimous: witnesses.every(({ name }) => done.has(name)),
        larger,
        contradicting,
      }
    },
  }
}
