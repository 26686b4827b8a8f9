import { Refusal } from '@countersign/sdk/contract'
import { createThread } from '../thread.ts'

/** The parameters of argon2id, which is the library's default algorithm. */
interface Cost {
  memoryCost: number
  timeCost: number
  parallelism: number
}

/** OWASP's minimum. */
const minimum: Cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** With `hashed` whether the password has that hash, else a new hash. */
export type Question = { password: string; cost: Cost; hashed?: string | undefined }
export interface Answer {
  hash: string
  isRight: boolean
}

export interface PasswordHasher {
  /** A PHC string. */
  hash: (password: string) => Promise<string>
  /** Takes as long without a hash as with one, so that timing does not reveal which accounts exist. */
  matches: (password: string, hashed: string | undefined) => Promise<boolean>
  /** Whether a hash was made with outdated parameters. */
  isOutdated: (hashed: string) => boolean
}

const isSource = import.meta.url.endsWith('.ts')
const program = new URL(isSource ? './hash-thread.ts' : './hash-thread.js', import.meta.url)

/** One for the process: passwords need no state. */
const thread = createThread<Question, Answer>({ program })

/** Starts the thread and keeps it. */
export const startHashing = () => thread.start()

/** Hashing takes a core for tens of milliseconds: one password at a time, `maxWaiting` in the queue, and the rest are rejected. */
export const createPasswordHasher = ({ maxWaiting = 64, cost = minimum } = {}): PasswordHasher => {
  const prefix = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`

  const ask = async (question: Question): Promise<Answer> => {
    if (thread.waiting() >= maxWaiting)
      throw new Refusal('unavailable', 'Too many people are signing in. Try again in a moment.')
    const answer = await thread.ask(question)
    if (!answer) throw new Refusal('unavailable', 'Passwords cannot be checked right now. Try again in a moment.')
    return answer
  }

  return {
    hash: async (password) => (await ask({ password, cost })).hash,
    matches: async (password, hashed) => (await ask({ password, cost, hashed })).isRight,
    isOutdated: (hashed) => !hashed.startsWith(prefix),
  }
}
