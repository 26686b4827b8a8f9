import { createBind } from './bind.ts'
import { createCodes } from './codes.ts'
import { createDecide } from './decide.ts'
import type { Deps } from './deps.ts'
import { createFind } from './find.ts'
import { createMint } from './mint.ts'
import { createOpen } from './open.ts'

export const createVerificationService = (deps: Deps) => {
  const partDeps = { ...deps, codes: createCodes(deps) }
  const find = createFind(partDeps)
  const decide = createDecide(partDeps, find)
  const { get, inspect, restsOn, subjectOf } = decide
  const { create, waitingWrites } = createMint(partDeps)
  return {
    create,
    /** Links that wait to be committed. */
    waitingWrites,
    get,
    inspect,
    restsOn,
    subjectOf,
    opened: createOpen(partDeps, find),
    bind: createBind(partDeps, decide),
  }
}

export type VerificationService = ReturnType<typeof createVerificationService>
export type { Basis } from './deps.ts'
export type { NamedFact } from './rules.ts'
