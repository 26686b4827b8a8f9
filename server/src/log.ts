import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from './config.ts'
import { timeOf } from './db/times.ts'

/** The process's log. Fields that can contain a credential are removed before a line is written. */
export const createLog = (level: Config['logLevel'], destination: DestinationStream): Logger =>
  pino(
    {
      level,
      base: undefined,
      timestamp: () => `,"time":"${timeOf(Date.now())}"`,
      redact: {
        paths: ['*.authorization', '*.cookie', '*.token', '*.api_key', 'err.config', 'err.request'],
        remove: true,
      },
    },
    destination,
  )
