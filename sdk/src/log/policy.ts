import { ensure, LogError, readCount } from './bytes.ts'
import { type Checkpoint, parseCheckpoint } from './checkpoint.ts'
import { cosignatureType, ed25519Type, type NoteKey, parseNote, parseVkey, verifyNote } from './note.ts'

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

/** The keywords, with how many items may follow. */
const forms = /^(log [12]|witness [23]|group ([3-9]|\d\d+)|quorum 1)$/

/** Accepted in a policy, but never verified here. */
const mlDsa44 = 0x06

/** Reads a policy. Throws a {@link LogError} that names the line. */
export const parsePolicy = (text: string): LogPolicy => readPolicy(text, parseVkey)

/** Reads a policy, and its keys with `parse`. Throws a {@link LogError} that names the line. */
export const readPolicy = (text: string, parse: (vkey: string) => NoteKey): LogPolicy => {
  const logs: PolicyKey[] = []
  const witnesses = new Map<string, PolicyKey>()
  const groups = new Map<string, PolicyGroup>()
  let quorum = ''
  const taken = new Set(['name none', 'member none'])
  const take = (kind: string, name: string, shown = name) => {
    ensure(!taken.has(`${kind} ${name}`), `${shown} is already taken`)
    taken.add(`${kind} ${name}`)
  }
  const ensureKnown = (name: string) => ensure(taken.has(`name ${name}`), `${name} is not defined above`)
  const readKey = (type: number, vkey: string, url: string | undefined): PolicyKey => {
    const key = parse(vkey)
    ensure([type, mlDsa44].includes(key.type), `${vkey} is of another type`)
    take(`${type}`, `${key.publicKey}`, vkey)
    return { key, ...(url && { url }) }
  }
  const readers: Record<string, (...items: string[]) => void> = {
    log: (vkey, url) => logs.push(readKey(ed25519Type, vkey, url)),
    witness: (name, vkey, url) => {
      take('name', name)
      witnesses.set(name, readKey(cosignatureType, vkey, url))
    },
    group: (name, threshold, ...members) => {
      for (const member of members) {
        ensureKnown(member)
        take('member', member)
      }
      take('name', name)
      groups.set(name, { threshold: readThreshold(threshold, members.length), members })
    },
    quorum: (name) => {
      ensure(!quorum, oneQuorum)
      ensureKnown(name)
      quorum = name
    },
  }
  for (const [index, line] of text.split('\n').entries()) {
    try {
      ensure(!/[\0-\x08\x0b-\x1f\x7f]/.test(line), 'Invalid characters')
      const [keyword = '#', ...items] = line.split(/[ \t]+/).filter(Boolean)
      if (keyword.startsWith('#')) continue
      ensure(forms.test(`${keyword} ${items.length}`), `Not a line of a policy: ${keyword}`)
      readers[keyword]?.(...items)
    } catch (error) {
      throw new LogError(`Policy, line ${index + 1}: ${(error as Error).message}`)
    }
  }
  ensure(quorum, `Policy: ${oneQuorum}`)
  return { logs, witnesses, groups, quorum }
}

const readThreshold = (text: string, members: number): number => {
  const threshold = text === 'any' ? 1 : text === 'all' ? members : readCount(text, 'threshold')
  ensure(threshold > 0 && threshold <= members, `threshold not from 1 to ${members}`)
  return threshold
}

/** Whether witnesses with these names are a quorum. */
export const isQuorum = (
  { witnesses, groups, quorum }: LogPolicy,
  cosigners: Pick<ReadonlySet<string>, 'has'>,
): boolean => {
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
  const logs = policy.logs.map(({ key }) => key).filter(({ name }) => name === checkpoint.origin)
  ensure(logs.length > 0, `The policy names no log “${checkpoint.origin}”`)
  const [signature] = await verifyNote(note, logs)
  ensure(signature, 'The log did not sign this checkpoint')
  const cosigned = new Map<string, number>()
  for (const [name, { key }] of policy.witnesses)
    for (const { time = 0 } of await verifyNote(note, [key])) cosigned.set(name, time)
  return { ...checkpoint, cosigned, isWitnessed: isQuorum(policy, cosigned) }
}
