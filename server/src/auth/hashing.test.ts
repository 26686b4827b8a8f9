import { describe, expect, it } from 'vitest'
import { createPasswordHasher, createQueue } from './hashing.ts'

/** Work that finishes when asked to, and counts how much of it is running. */
const createWork = () => {
  const state = { running: 0, most: 0 }
  const ends: (() => void)[] = []
  const work = async () => {
    state.most = Math.max(state.most, ++state.running)
    await new Promise<void>((resolve) => ends.push(resolve))
    state.running--
  }
  return { state, work, endOne: () => ends.shift()?.() }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('the queue of hashing', () => {
  it('never exceeds its limit, even if a request arrives while a slot is handed over', async () => {
    const queued = createQueue({ maxRunning: 2, maxWaiting: 50 })
    const { state, work, endOne } = createWork()
    const all = Array.from({ length: 6 }, () => queued(work))
    for (let round = 0; round < 30; round++) {
      endOne()
      // One newcomer at each step of handing over a slot.
      for (let step = 0; step < 4; step++) {
        if (all.length < 40) all.push(queued(work))
        await Promise.resolve()
      }
      await settled()
    }
    while (state.running > 0) {
      endOne()
      await settled()
    }
    await Promise.all(all)
    expect(state.most).toBe(2)
    const later = [queued(work), queued(work)]
    expect(state.running).toBe(2)
    endOne()
    endOne()
    await Promise.all(later)
  })

  it('rejects at once beyond its queue limit, and accepts more once there is room', async () => {
    const queued = createQueue({ maxRunning: 1, maxWaiting: 2 })
    const { work, endOne } = createWork()
    const taken = [queued(work), queued(work), queued(work)]
    await expect(queued(work)).rejects.toMatchObject({ code: 'unavailable' })
    endOne()
    await settled()
    taken.push(queued(work))
    for (let time = 0; time < 4; time++) {
      endOne()
      await settled()
    }
    await Promise.all(taken)
  })

  it('frees the slot of failed work', async () => {
    const queued = createQueue({ maxRunning: 1, maxWaiting: 5 })
    const failing = queued(() => Promise.reject(new Error('out of memory')))
    const next = queued(async () => 'done')
    await expect(failing).rejects.toThrow('out of memory')
    expect(await next).toBe('done')
  })
})

describe('a password', () => {
  it('matches its own hash only, and nothing if there is no hash', async () => {
    const passwords = createPasswordHasher()
    const hashed = await passwords.hash('a quiet heron at dawn')
    expect(hashed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(await passwords.matches('a quiet heron at dawn', hashed)).toBe(true)
    expect(await passwords.matches('a quiet heron at dusk', hashed)).toBe(false)
    expect(await passwords.matches('no one has this password', undefined)).toBe(false)
    expect(passwords.isOutdated(hashed)).toBe(false)
  })

  it.each([
    '$argon2id$v=19$m=8192,t=2,p=1$c2FsdA$aGFzaA',
    '$argon2id$v=19$m=19456,t=1,p=1$c2FsdA$aGFzaA',
    '$argon2i$v=19$m=19456,t=2,p=1$',
  ])('hashed as %s is outdated', (hashed) => {
    expect(createPasswordHasher().isOutdated(hashed)).toBe(true)
  })
})
