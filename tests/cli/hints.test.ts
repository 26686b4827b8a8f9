import { expect, it } from 'vitest'
import { createWorld } from '../support/world.ts'
import { createCommandLine } from './process.ts'

const register = (name: string) => [
  ...['providers', 'register', '--no-save', '--company-name', name],
  ...['--email', `ops@${name}.example`, '--website', `https://${name}.example`],
]

it('a limit longer than anyone waits fails at once, in minutes', async () => {
  const world = await createWorld({ rateLimits: 'on' })
  const cli = await createCommandLine(world.address)
  const names = ['one', 'two', 'three', 'four', 'five', 'six']
  const startedAt = performance.now()
  const ends = []
  for (const name of names) ends.push(await cli.call(register(name)))
  expect(ends.map(({ exit }) => exit)).toEqual([0, 0, 0, 0, 0, 7])
  expect(ends.at(-1)?.stderr).toMatch(/^error: Too many .*in \d+ minutes\.$/m)
  expect(performance.now() - startedAt).toBeLessThan(30_000)
})
