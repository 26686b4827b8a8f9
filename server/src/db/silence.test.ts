import { expect, it, onTestFinished } from 'vitest'
import { createSilenceWatch } from './silence.ts'

const createWatched = (answers: () => boolean) => {
  const changes: boolean[] = []
  const watch = createSilenceWatch({
    probe: async () => {
      if (!answers()) throw new Error('silence')
    },
    onChange: (isSilent) => changes.push(isSilent),
    quietMs: 20,
    lookEveryMs: 5,
    askAgainMs: 5,
  })
  onTestFinished(watch.close)
  return { watch, changes }
}

it('aborts waiting work while the database is silent, rejects new work, and recovers when it answers', async () => {
  let isAway = true
  const { watch, changes } = createWatched(() => !isAway)
  const reason = await new Promise<Error>((abort) => watch.start(abort))
  expect(reason).toMatchObject({ code: '08006' })
  expect(() => watch.start(() => {})).toThrow(/does not answer/)
  isAway = false
  await expect.poll(() => changes).toEqual([true, false])
  watch.start(() => {}).end(true)
})

it('leaves a slow statement alone while the database answers others', async () => {
  let probes = 0
  const { watch, changes } = createWatched(() => ++probes > 0)
  let isAborted = false
  const slow = watch.start(() => {
    isAborted = true
  })
  await expect.poll(() => probes).toBeGreaterThan(1)
  slow.end(true)
  expect({ isAborted, changes }).toEqual({ isAborted: false, changes: [] })
})

it('aborts a single wait after its limit', async () => {
  const { watch, changes } = createWatched(() => true)
  expect(await new Promise<Error>((abort) => watch.start(abort, { limitMs: 10 }))).toMatchObject({ code: '08006' })
  expect(changes).toEqual([])
})
