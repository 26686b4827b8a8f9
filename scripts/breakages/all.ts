import type { Breakage } from './breakage.ts'
import { cliBreakages } from './cli.ts'
import { sdkBreakages } from './sdk.ts'
import { serverBreakages } from './server.ts'
import { webBreakages } from './web.ts'

export const breakages: readonly Breakage[] = [...sdkBreakages, ...serverBreakages, ...cliBreakages, ...webBreakages]
