import { ensure, isSame, LogError, readCount } from './bytes.ts'
import { type Checkpoint, parseCheckpoint } from './checkpoint.ts'
import { type NoteKey, parseNote, parseVkey, signatureTypes, verifyNote } from './note.ts'

/** A key of a policy, with the address where its owner can be reached. */
export interface PolicyKey {
  /** The key. */
  key: NoteKey
  /** A log's prefix, or a witness's submission prefix. */
  url?: string
}

/** A group counts as a witness if enough of its members do. */
export interface PolicyGroup {
  /** How many members must have witnessed. */
  threshold: number
  /** Names of witnesses and groups. */
  members: string[]
}

/** Which logs and witnesses are trusted (c2sp.org/tlog-policy). */
export interface LogPolicy {
  /** Any of these logs is accepted. */
  logs: PolicyKey[]
  /** The witnesses, by their names in the policy. */
  witnesses: Map<string, PolicyKey>
  /** The groups, by name. */
  groups: Map<string, PolicyGroup>
  /** The name of the witness or group that must have witnessed, or `none`. */
  quorum: string
}

const oneQuorum = 'there must be exactly one quorum line'

/** Reads a policy. Throws a {@link LogError} that names the line. */
export const parsePolicy = (text: string): LogPolicy => {
  const policy: LogPolicy = { logs: [], witnesses: new Map(), groups: new Map(), quorum: '' }
  const grouped = new Set(['none'])
  for (const [index, line] of text.split('\n').entries()) {
    try {
      ensure(!/[\0-\x08\x0b-\x1f\x7f]/.test(line), 'Control characters are not allowed')
      const [keyword = '#', ...items] = line.split(/[ \t]+/).filter(Boolean)
      if (!keyword.startsWith('#')) readLine(policy, grouped, keyword, items)
    } catch (error) {
      throw new LogError(`Policy, line ${index + 1}: ${(error as Error).message}`)
    }
  }
  ensure(policy.quorum, `Policy: ${oneQuorum}`)
  return policy
}

/** The keywords, with how many items may follow. */
const forms = /^(log [12]|witness [23]|group ([3-9]|\d\d+)|quorum 1)$/

const readLine = (policy: LogPolicy, grouped: Set<string>, keyword: string, items: readonly string[]) => {
  const { logs, witnesses, groups } = policy
  const [first = '', second = '', ...rest] = items
  const isKnown = (name: string) => name === 'none' || witnesses.has(name) || groups.has(name)
  const ensureKnown = (name: string) => ensure(isKnown(name), `${name} is not defined above`)
  ensure(forms.test(`${keyword} ${items.length}`), `Not a line of a policy: ${keyword}`)
  if (keyword === 'log') logs.push(readKey(first, second, signatureTypes.ed25519, logs))
  else if (keyword === 'quorum') {
    ensure(!policy.quorum, oneQuorum)
    ensureKnown(first)
    policy.quorum = first
  } else {
    ensureFree(!isKnown(first), first)
    if (keyword === 'witness')
      return void witnesses.set(first, readKey(second, rest[0], signatureTypes.cosignature, [...witnesses.values()]))
    for (const member of rest) {
      ensureKnown(member)
      ensureFree(!grouped.has(member), member)
      grouped.add(member)
    }
    groups.set(first, { threshold: readThreshold(second, rest.length), members: rest })
  }
}

const ensureFree = (isFree: boolean, name: string) => ensure(isFree, `${name} is already taken`)

/** Accepted in a policy, but never verified here. */
const mlDsa44 = 0x06

const readKey = (vkey: string, url: string | undefined, type: number, others: readonly PolicyKey[]): PolicyKey => {
  const key = parseVkey(vkey)
  ensure([type, mlDsa44].includes(key.type), `${vkey} is of another type`)
  ensureFree(!others.some((other) => isSame(other.key.publicKey, key.publicKey)), vkey)
  return { key, ...(url && { url }) }
}

const readThreshold = (text: string, members: number): number => {
  const threshold = text === 'any' ? 1 : text === 'all' ? members : readCount(text, 'threshold')
  ensure(threshold > 0 && threshold <= members, `The threshold must be from 1 to ${members}`)
  return threshold
}

/** Whether witnesses with these names are a quorum. */
export const isQuorum = ({ witnesses, groups, quorum }: LogPolicy, cosigners: ReadonlySet<string>): boolean => {
  const hasWitnessed = (name: string): boolean => {
    const group = groups.get(name)
    if (!group) return witnesses.has(name) && cosigners.has(name)
    return group.members.filter(hasWitnessed).length >= group.threshold
  }
  return quorum === 'none' || hasWitnessed(quorum)
}

/** A checkpoint with a valid signature of its log. */
export interface VerifiedCheckpoint extends Checkpoint {
  /** The witnesses whose cosignatures are valid, by their names in the policy, with the time in seconds since 1970. */
  cosigned: Map<string, number>
  /** Whether they are a quorum. */
  isWitnessed: boolean
}

/** Verifies a checkpoint. Throws a {@link LogError} unless one of the policy's logs signed it and no known key's signature is invalid. */
export const verifyCheckpoint = async (signed: string, policy: LogPolicy): Promise<VerifiedCheckpoint> => {
  const note = parseNote(signed)
  const checkpoint = parseCheckpoint(note.text)
  const logs = policy.logs.filter(({ key }) => key.name === checkpoint.origin).map(({ key }) => key)
  ensure(logs.length > 0, `The policy does not name the log “${checkpoint.origin}”`)
  ensure((await verifyNote(note, logs)).length > 0, 'The log did not sign this checkpoint')
  const cosigned = new Map<string, number>()
  for (const [name, { key }] of policy.witnesses)
    for (const { time = 0 } of await verifyNote(note, [key])) cosigned.set(name, time)
  return { ...checkpoint, cosigned, isWitnessed: isQuorum(policy, new Set(cosigned.keys())) }
}
