import {
  emptyRoot,
  formatNote,
  formatSignature,
  LogError,
  type LogPolicy,
  type Note,
  type NoteSignature,
  type NoteSigner,
  parseCheckpoint,
  parseNote,
  signNote,
  verifyConsistency,
  verifyNote,
} from '@countersign/sdk/log'
import { type CheckpointStore, hashOfOrigin } from './checkpoint-store.ts'

/** What the witness answers. */
export interface Answer {
  status: 200 | 400 | 403 | 404 | 409 | 422
  type: 'text/plain; charset=utf-8' | 'text/x.tlog.size'
  body: string
}

const answer = (status: Answer['status'], body: string): Answer => ({
  status,
  type: 'text/plain; charset=utf-8',
  body: `${body}\n`,
})

const conflict = (size: number): Answer => ({ status: 409, type: 'text/x.tlog.size', body: `${size}\n` })

interface Submission {
  old: number
  proof: Uint8Array[]
  note: Note
}

const maxProof = 63

/** Reads the body of add-checkpoint. Throws a `LogError`. */
const readSubmission = (body: string): Submission => {
  const end = body.indexOf('\n\n')
  const [first = '', ...lines] = body.slice(0, Math.max(end, 0)).split('\n')
  const old = /^old (0|[1-9]\d{0,15})$/.exec(first)?.[1]
  if (old === undefined || !Number.isSafeInteger(Number(old))) throw new LogError('The first line must be `old SIZE`')
  if (lines.length > maxProof) throw new LogError(`At most ${maxProof} lines of proof`)
  const proof = lines.map((line) => {
    const hash = Buffer.from(line, 'base64')
    if (hash.length !== 32 || hash.toString('base64') !== line) throw new LogError('A line of the proof is not a hash')
    return hash
  })
  return { old: Number(old), proof, note: parseNote(body.slice(end + 2)) }
}

interface Witness {
  policy: LogPolicy
  signer: NoteSigner
  store: CheckpointStore
  now(): Date
  /** A log signed two different trees of one size. */
  onFork(one: string, other: string): void
}

/** Decides on a checkpoint and cosigns it, as c2sp.org/tlog-witness says, in its order. */
export const addCheckpoint = async (body: string, { policy, signer, store, now, onFork }: Witness): Promise<Answer> => {
  try {
    const { old, proof, note } = readSubmission(body)
    const checkpoint = parseCheckpoint(note.text)
    const { origin, size, root } = checkpoint
    const keys = policy.logs.map(({ key }) => key).filter(({ name }) => name === origin)
    if (keys.length === 0) return answer(404, 'This witness does not know the log')
    const signed = await verifyNote(note, keys).catch((error: Error) => error)
    if (signed instanceof Error) return answer(403, signed.message)
    if (signed.length === 0) return answer(403, 'No known key of the log signed this checkpoint')
    if (old > size) return answer(400, 'The old size is above the size of the checkpoint')

    const originHash = hashOfOrigin(origin)
    const latest = store.latest(originHash)
    const before = latest ?? { size: 0, root: emptyRoot() }
    const isVerified = ({ name, keyId }: NoteSignature) =>
      signed.some(({ key }) => key.name === name && key.keyId === keyId)
    const own = { text: note.text, signatures: note.signatures.filter(isVerified) }
    if (latest?.size === size && !Buffer.from(latest.root).equals(root)) onFork(latest.note, formatNote(own))
    if (old !== before.size) return conflict(before.size)
    if (!verifyConsistency(before, { size, root }, proof))
      return answer(422, 'The checkpoint is not consistent with the last one')

    const cosignature = await signNote(note.text, signer, Math.floor(now().getTime() / 1_000))
    const cosigned = formatNote({ ...own, signatures: [...own.signatures, cosignature] })
    if (!store.replace(originHash, latest, cosigned)) return conflict(store.latest(originHash)?.size ?? 0)
    return answer(200, formatSignature(cosignature))
  } catch (error) {
    if (error instanceof LogError) return answer(400, error.message)
    throw error
  }
}
