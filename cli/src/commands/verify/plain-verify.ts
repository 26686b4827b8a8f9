import { globalOptions } from '../../args/command.ts'
import { readPlainCall } from '../../args/plain-call.ts'
import { createContext } from '../../context.ts'
import type { World } from '../../world.ts'
import { verifyLink, verifyOptions } from './verify.ts'

const options = [...globalOptions, ...verifyOptions]

/** `verify` without commander, because programs call it for every message. Undefined where commander must explain. */
export const verifyPlainly = async (argv: readonly string[], world: World): Promise<number | undefined> => {
  const call = readPlainCall(argv, options)
  if (call === undefined || call.args.length !== 1) return undefined
  return verifyLink(await createContext(world, call.flags), call)
}
