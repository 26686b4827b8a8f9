import type { World } from '../world.ts'

/** Known before any option is parsed, because a wrong option is reported in the asked form too. */
export const isJsonAsked = (argv: readonly string[], env: World['env']) => {
  const end = argv.indexOf('--')
  const options = end === -1 ? argv : argv.slice(0, end)
  if (options.includes('--json')) return true
  return env.COUNTERSIGN_OUTPUT === 'json' && !options.includes('-q') && !options.includes('--quiet')
}
