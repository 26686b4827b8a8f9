import { expect } from 'vitest'
import { createNewId } from '../../server/src/ids.ts'
import type { Operator } from '../../server/src/operator/command.ts'
import { openEgress } from '../../server/src/outbound/egress.ts'
import { logCommand } from '../../server/src/transparency/command.ts'
import type { World } from './world.ts'

/** `countersign-server log …`, as it runs beside the registry. Returns what it prints. */
export const operateLog = async ({ database, clock, config }: World, ...args: string[]): Promise<string> => {
  const lines: string[] = []
  const operator = {
    database,
    now: clock.now,
    newId: createNewId(clock.now),
    logEncryptionKey: config.logEncryptionKey,
    logPolicy: config.logPolicy,
    openEgress: () => openEgress({ ...config, publicUrl: null }),
    print: (line: string) => lines.push(line),
  } as unknown as Operator
  expect(await logCommand.run(operator, args)).toBe(true)
  return lines.join('\n')
}
