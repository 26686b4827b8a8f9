import type { World } from './world.ts'

/** A world in memory, without a network unless one is given. */
export const createTestWorld = (given: Partial<World> = {}) => {
  const written = { stdout: '', stderr: '' }
  const sink = (name: 'stdout' | 'stderr') => ({
    isTerminal: false,
    write: (text: string) => {
      written[name] += text
    },
  })
  const world: World = {
    env: { COUNTERSIGN_CONFIG_DIR: '/nonexistent', ...given.env },
    cwd: '/',
    stdin: { isTerminal: false, read: async () => new Uint8Array() },
    stdout: sink('stdout'),
    stderr: sink('stderr'),
    signal: new AbortController().signal,
    now: () => new Date(),
    fetch: async () => {
      throw new TypeError('fetch failed')
    },
    ...given,
  }
  return Object.assign(world, { written })
}
