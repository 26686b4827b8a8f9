import { globalOptions } from './command.ts'
import { verifyLink, verifyOptions } from './commands/verify.ts'
import { createContext } from './context.ts'
import { readPlainCall } from './plain-call.ts'
import type { World } from './world.ts'

const options = [...globalOptions, ...verifyOptions]

/** `verify` without commander, because programs call it for every message. Undefined where commander must explain. */
export const verifyPlainly = async (argv: readonly string[], world: World): Promise<number | undefined> => {
  const call = readPlainCall(argv, options)
  if (call === undefined || call.args.length !== 1) return undefined
  return verifyLink(await createContext(world, call.flags), call)
}
