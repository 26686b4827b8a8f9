import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { describe, expect, it } from 'vitest'
import { createPasswordHasher } from './hashing.ts'

describe('a password', { timeout: 30_000 }, () => {
  it('matches its own hash only, and nothing if there is no hash', async () => {
    const passwords = createPasswordHasher()
    const hashed = await passwords.hash('a quiet heron at dawn')
    expect(hashed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(await passwords.matches('a quiet heron at dawn', hashed)).toBe(true)
    expect(await passwords.matches('a quiet heron at dusk', hashed)).toBe(false)
    expect(await passwords.matches('no one has this password', undefined)).toBe(false)
    expect(passwords.isOutdated(hashed)).toBe(false)
  })

  it('waits in a short queue, and is rejected at once when that is full', async () => {
    const passwords = createPasswordHasher({ maxWaiting: 2 })
    const waiting = [passwords.hash('a quiet heron'), passwords.hash('a quiet heron')]
    await expect(passwords.hash('a quiet heron')).rejects.toMatchObject({ code: 'unavailable' })
    await Promise.all(waiting)
    expect(await passwords.hash('a quiet heron')).toMatch(/^\$argon2id/)
  })

  it.runIf(process.platform === 'linux')('is hashed at a lower priority than requests are answered', async () => {
    await createPasswordHasher().hash('a quiet heron at dawn')
    const priorities = readdirSync('/proc/self/task').map((thread) => {
      const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
      return Number(stat.slice(stat.lastIndexOf(')')).split(' ')[17])
    })
    expect(priorities).toContain(10)
    expect(getPriority()).toBeLessThan(10)
    expect(priorities).toContain(getPriority())
  })

  it.each([
    '$argon2id$v=19$m=8192,t=2,p=1$c2FsdA$aGFzaA',
    '$argon2id$v=19$m=19456,t=1,p=1$c2FsdA$aGFzaA',
    '$argon2i$v=19$m=19456,t=2,p=1$',
  ])('hashed as %s is outdated', (hashed) => {
    expect(createPasswordHasher().isOutdated(hashed)).toBe(true)
  })
})
