import { availableParallelism } from 'node:os'
import { Refusal } from '@countersign/sdk/contract'
import { hash, verify } from '@node-rs/argon2'

/** OWASP's minimum parameters for argon2id, which is the library's default algorithm. */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const prefix = `$argon2id$v=19$m=${options.memoryCost},t=${options.timeCost},p=${options.parallelism}$`

const limits = { maxRunning: 2 * availableParallelism(), maxWaiting: 64 }

export interface PasswordHasher {
  /** A PHC string. */
  hash: (password: string) => Promise<string>
  /** Takes as long without a hash as with one, so that timing does not reveal which accounts exist. */
  matches: (password: string, hashed: string | undefined) => Promise<boolean>
  /** Whether a hash was made with outdated parameters. */
  isOutdated: (hashed: string) => boolean
}

/** Hashing takes a core for tens of milliseconds: a few run at once, some wait, and the rest are rejected. */
export const createQueue = ({ maxRunning, maxWaiting }: typeof limits) => {
  let running = 0
  const waiting: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < maxRunning) running++
    else {
      if (waiting.length >= maxWaiting)
        throw new Refusal('unavailable', 'Too many people are signing in. Try again in a moment.')
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
    try {
      return await work()
    } finally {
      // Hand the slot over instead of freeing it, so that a new request cannot take it as well.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}

export const createPasswordHasher = (): PasswordHasher => {
  const queued = createQueue(limits)
  const nobodys = hash('no account has this password', options)

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
