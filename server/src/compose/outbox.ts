import { join } from 'node:path'
import type { Config } from '../config.ts'

/** Where emails are written as files if no mail server is set. */
export const outboxOf = ({ dataDir }: Pick<Config, 'dataDir'>) => join(dataDir, 'outbox')
