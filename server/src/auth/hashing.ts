import { availableParallelism } from 'node:os'
import { Refusal } from '@countersign/sdk/contract'
import { hash, verify } from '@node-rs/argon2'

/** OWASP's least parameters for argon2id, which is the library's default algorithm. */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const prefix = `$argon2id$v=19$m=${options.memoryCost},t=${options.timeCost},p=${options.parallelism}$`

const limits = { maxRunning: 2 * availableParallelism(), maxWaiting: 64 }

export interface PasswordHasher {
  /** A PHC string. */
  hash: (password: string) => Promise<string>
  /** Takes as long for no hash as for one, so that nobody learns which there is. */
  matches: (password: string, hashed: string | undefined) => Promise<boolean>
  /** Whether a hash was made with other parameters than today's. */
  isOutdated: (hashed: string) => boolean
}

/** Hashing takes a core for tens of milliseconds: a few at once, some waiting, and the rest told to come back. */
export const createQueue = ({ maxRunning, maxWaiting }: typeof limits) => {
  let running = 0
  const waiting: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < maxRunning) running++
    else {
      if (waiting.length >= maxWaiting) throw new Refusal('unavailable', 'Too many people are signing in. Try again in a moment.')
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
    try {
      return await work()
    } finally {
      // A place is handed on rather than given back, so that nobody who comes just now takes it, too.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}

export const createPasswordHasher = (): PasswordHasher => {
  const queued = createQueue(limits)
  const nobodys = hash('nobody has this password', options)

  return {
    hash: (password) => queued(() => hash(password, options)),
    matches: (password, hashed) =>
      queued(async () => {
        const isRight = await verify(hashed ?? (await nobodys), password)
        return isRight && hashed !== undefined
      }),
    isOutdated: (hashed) => !hashed.startsWith(prefix),
  }
}
