import { concat, ensure, fromBase64, toBase64, toBase64url, toHex, utf8 } from './bytes.ts'
import { isSignedBy } from './ed25519.ts'
import { digestSteps, type HashStep, hashSteps } from './steps.ts'

/** One signature of a note, not yet verified. */
export interface NoteSignature {
  /** The name of the key. */
  name: string
  /** The ID of the key: 32 bits. */
  keyId: number
  /** What the key signed, without the key ID. */
  signature: Uint8Array
}

/** A signed note (c2sp.org/signed-note), not yet verified. */
export interface Note {
  /** The signed text, with its final newline. */
  text: string
  /** Its signatures, in order. */
  signatures: NoteSignature[]
}

/** A key that verifies notes. */
export interface NoteKey {
  /** Its name: no spaces, no plus. */
  name: string
  /** Its ID: 32 bits. */
  keyId: number
  /** The signature type: 1 for Ed25519, 4 for cosignature/v1. Signatures of other types are never valid. */
  type: number
  /** The encoded public key. */
  publicKey: Uint8Array
}

/* Bundlers replace these by their numbers: 23 bytes less in a browser's verifier. */
export const ed25519Type = 0x01
export const cosignatureType = 0x04
/** The types of c2sp.org/signed-note that are verified here. */
export const signatureTypes = { ed25519: ed25519Type, cosignature: cosignatureType } as const

const maxNoteLength = 1_000_000
const maxSignatures = 100

const malformed = 'Malformed note'
const malformedKey = 'Malformed verifier key'

/** Reads a note. Throws a {@link LogError} if it is not one. */
export const parseNote = (note: string): Note => {
  ensure(note.length <= maxNoteLength && note.isWellFormed() && !/[\0-\x09\x0b-\x1f]/.test(note), malformed)
  const end = note.lastIndexOf('\n\n')
  const lines = note.slice(end + 2).split('\n')
  ensure(end !== -1 && lines.pop() === '' && lines[0] && lines.length <= maxSignatures, malformed)
  return { text: note.slice(0, end + 1), signatures: lines.map(parseSignature) }
}

const parseSignature = (line: string): NoteSignature => {
  const [, name = '', encoded = ''] = /^— ([^\p{White_Space}+]+) (.+)$/u.exec(line) ?? []
  const bytes = fromBase64(encoded)
  ensure(bytes && bytes.length > 4, malformed)
  return { name, keyId: viewOf(bytes).getUint32(0), signature: bytes.slice(4) }
}

/** The note as text: its signed text, an empty line and the signature lines. */
export const formatNote = ({ text, signatures }: Note): string =>
  `${text}\n${signatures.map((signature) => `${formatSignature(signature)}\n`).join('')}`

/** A signature line, without its newline. */
export const formatSignature = ({ name, keyId, signature }: NoteSignature): string =>
  `— ${name} ${toBase64(concat(idBytes(keyId), signature))}`

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset)

const idBytes = (keyId: number) => {
  const bytes = new Uint8Array(4)
  viewOf(bytes).setUint32(0, keyId)
  return bytes
}

/** A key with the ID that its name, type and public key have. Throws a {@link LogError} if the name is not allowed. */
export const noteKey = (name: string, type: number, publicKey: Uint8Array): NoteKey => {
  ensure(/^[^\p{White_Space}+]+$/u.test(name), malformedKey)
  return { name, type, publicKey, keyId: viewOf(hashSteps(publicKey, idStep({ name, type }))).getUint32(0) }
}

/** From a public key to the hash that its ID is the beginning of. */
const idStep =
  ({ name, type }: Pick<NoteKey, 'name' | 'type'>): HashStep =>
  (publicKey) => [utf8(`${name}\n`), Uint8Array.of(type), publicKey]

const isVerifiable = ({ type }: NoteKey) => type === ed25519Type || type === cosignatureType

/** Reads a verifier key without hashing it: its ID may be that of another key, until `ensureOwnId`. Throws a {@link LogError}. */
export const readVkey = (vkey: string): NoteKey => {
  const [, name = '', id = '', encoded = ''] = /^([^\p{White_Space}+]+)\+([\da-f]{8})\+(.+)$/u.exec(vkey) ?? []
  const [type = 0, ...publicKey] = fromBase64(encoded) ?? []
  const key = { name, type, publicKey: Uint8Array.from(publicKey), keyId: Number(`0x${id}`) }
  ensure(type && (!isVerifiable(key) || publicKey.length === 32), malformedKey)
  return key
}

/** Reads a verifier key, `name+id+key`. Throws a {@link LogError} if it is malformed or the ID is not that of the key. */
export const parseVkey = (vkey: string): NoteKey => {
  const read = readVkey(vkey)
  const key = noteKey(read.name, read.type, read.publicKey)
  ensure(key.keyId === read.keyId, malformedKey)
  return key
}

/** Rejects with a {@link LogError} unless the IDs are those of the keys. */
export const ensureOwnIds = async (keys: readonly NoteKey[]): Promise<void> => {
  for (const key of keys) {
    const hash = await digestSteps(key.publicKey, idStep(key))
    ensure(viewOf(hash).getUint32(0) === key.keyId, `${malformedKey} of ${key.name}`)
  }
}

/** The verifier key as text. */
export const formatVkey = ({ name, keyId, type, publicKey }: NoteKey): string =>
  `${name}+${toHex(idBytes(keyId))}+${toBase64(concat(Uint8Array.of(type), publicKey))}`

/** A verified signature. */
export interface VerifiedSignature {
  /** The key that signed. */
  key: NoteKey
  /** For a cosignature: when, in seconds since 1970. */
  time?: number
}

/** A key with the operation that signs with it. */
export interface NoteSigner {
  /** The key that verifies. */
  key: NoteKey
  /** Makes an Ed25519 signature of 64 bytes. */
  sign(message: Uint8Array): Uint8Array | Promise<Uint8Array>
}

/** What cosignature/v1 signs (c2sp.org/tlog-cosignature). */
const cosigned = (text: string, time: bigint) => utf8(`cosignature/v1\ntime ${time}\n${text}`)

/** Signs the text of a note. A cosigning key needs `time`, in seconds since 1970. */
export const signNote = async (text: string, { key, sign }: NoteSigner, time = 0): Promise<NoteSignature> => {
  const { name, keyId, type } = key
  if (type === ed25519Type) return { name, keyId, signature: await sign(utf8(text)) }
  const stamp = new Uint8Array(8)
  viewOf(stamp).setBigUint64(0, BigInt(time))
  const signature = await sign(cosigned(text, BigInt(time)))
  return { name, keyId, signature: concat(stamp, signature) }
}

/**
 * The signatures of these keys on a note, each key once. Ignores unknown keys and those of other types. Throws a {@link LogError} if a signature of a known
 * key is invalid: such a note is malformed.
 */
export const verifyNote = async (
  { text, signatures }: Note,
  keys: readonly NoteKey[],
): Promise<VerifiedSignature[]> => {
  const verified: VerifiedSignature[] = []
  for (const { name, keyId, signature } of signatures) {
    const key = keys.find((known) => isVerifiable(known) && known.name === name && known.keyId === keyId)
    if (!key) continue
    const invalid = `Invalid signature of ${name}`
    const isTimed = key.type === cosignatureType
    const start = isTimed ? 8 : 0
    ensure(signature.length === start + 64, invalid)
    const time = isTimed ? viewOf(signature).getBigInt64(0) : 0n
    const message = isTimed ? cosigned(text, time) : utf8(text)
    const isValid = await isSignedBy(toBase64url(key.publicKey), message, signature.slice(start))
    ensure(isValid && time >= 0n, invalid)
    if (!verified.some(({ key: seen }) => seen === key)) verified.push({ key, ...(isTimed && { time: Number(time) }) })
  }
  return verified
}
