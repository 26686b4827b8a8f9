import { isSame, LogError } from './bytes.ts'
import { type Checkpoint, parseCheckpoint } from './checkpoint.ts'
import { type NoteKey, parseNote, parseVkey, verifyNote } from './note.ts'

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

const logTypes = [0x01, 0x06]
const witnessTypes = [0x04, 0x06]

/** Reads a policy. Throws a {@link LogError} that names the line. */
export const parsePolicy = (text: string): LogPolicy => {
  const policy: Omit<LogPolicy, 'quorum'> & { quorum?: string } = { logs: [], witnesses: new Map(), groups: new Map() }
  const grouped = new Set<string>()
  for (const [index, line] of text.split('\n').entries()) {
    try {
      if (/[\0-\x08\x0b-\x1f\x7f]/.test(line)) throw new LogError('Control characters are not allowed')
      const [keyword = '', ...items] = line.split(/[ \t]+/).filter((item) => item !== '')
      if (keyword !== '' && !keyword.startsWith('#')) readLine(policy, grouped, keyword, items)
    } catch (error) {
      if (error instanceof LogError) throw new LogError(`Policy, line ${index + 1}: ${error.message}`)
      throw error
    }
  }
  const { quorum } = policy
  if (quorum === undefined) throw new LogError('Policy: the quorum line is missing')
  return { ...policy, quorum }
}

const readLine = (
  policy: Omit<LogPolicy, 'quorum'> & { quorum?: string },
  grouped: Set<string>,
  keyword: string,
  items: readonly string[],
) => {
  const { logs, witnesses, groups } = policy
  const isDefined = (name: string) => witnesses.has(name) || groups.has(name)
  const [first = '', second = '', ...rest] = items
  if ((keyword === 'witness' || keyword === 'group') && (isDefined(first) || first === 'none'))
    throw new LogError(`The name ${first} is taken`)
  if (keyword === 'log' && (items.length === 1 || items.length === 2))
    logs.push(readKey(first, items[1], logTypes, logs))
  else if (keyword === 'witness' && (items.length === 2 || items.length === 3))
    witnesses.set(first, readKey(second, rest[0], witnessTypes, [...witnesses.values()]))
  else if (keyword === 'group' && rest.length > 0) {
    for (const member of rest) {
      if (!isDefined(member)) throw new LogError(`${member} is not defined above`)
      if (grouped.has(member)) throw new LogError(`${member} is already in a group`)
      grouped.add(member)
    }
    groups.set(first, { threshold: readThreshold(second, rest.length), members: rest })
  } else if (keyword === 'quorum' && items.length === 1) {
    if (policy.quorum !== undefined) throw new LogError('There must be exactly one quorum line')
    if (first !== 'none' && !isDefined(first)) throw new LogError(`${first} is not defined above`)
    policy.quorum = first
  } else throw new LogError(`Not a line of a policy: ${keyword}`)
}

const readKey = (
  vkey: string,
  url: string | undefined,
  types: readonly number[],
  others: readonly PolicyKey[],
): PolicyKey => {
  const key = parseVkey(vkey)
  if (!types.includes(key.type)) throw new LogError(`${key.name} has a key of a type that cannot be used here`)
  if (others.some((other) => isSame(other.key.publicKey, key.publicKey)))
    throw new LogError(`The public key of ${key.name} is listed twice`)
  return url === undefined ? { key } : { key, url }
}

const readThreshold = (text: string, members: number): number => {
  const threshold = text === 'any' ? 1 : text === 'all' ? members : /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0
  if (threshold < 1 || threshold > members) throw new LogError(`The threshold must be from 1 to ${members}`)
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
  if (logs.length === 0) throw new LogError(`The policy does not name the log ${JSON.stringify(checkpoint.origin)}`)
  if ((await verifyNote(note, logs)).length === 0) throw new LogError('The log did not sign this checkpoint')
  const cosigned = new Map<string, number>()
  for (const [name, { key }] of policy.witnesses)
    for (const { time = 0 } of await verifyNote(note, [key])) cosigned.set(name, time)
  return { ...checkpoint, cosigned, isWitnessed: isQuorum(policy, new Set(cosigned.keys())) }
}
