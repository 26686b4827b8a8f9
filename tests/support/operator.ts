import { Refusal } from '@countersign/sdk/contract'
import { createEventRecorder } from '../../server/src/events/service.ts'
import { createNewId } from '../../server/src/ids.ts'
import type { Operator, OperatorCommand } from '../../server/src/operator/command.ts'
import { createEgress } from '../../server/src/outbound/egress.ts'
import type { World } from './world.ts'

/** The output of `countersign-server` for an operator command; an error as its message. */
export const createOperator = ({ database, clock }: Pick<World, 'database' | 'clock'>) => {
  const newId = createNewId(clock.now)
  return async (command: OperatorCommand, ...args: string[]) => {
    const lines: string[] = []
    const operator: Operator = {
      database,
      now: clock.now,
      newId,
      events: createEventRecorder({ now: clock.now, newId }),
      listings: { providerChanged: async () => {} },
      mail: { alert: async () => {}, queue: async () => {} },
      logEncryptionKey: null,
      logPolicy: null,
      openEgress: () => createEgress(),
      print: (line) => lines.push(line),
    }
    try {
      return (await command.run(operator, args)) ? lines.join('\n') : 'usage'
    } catch (error) {
      if (error instanceof Refusal) return `refused: ${error.message}`
      throw error
    }
  }
}
