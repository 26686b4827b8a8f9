import { resolve } from 'node:path'
import { count, optional, postgresUrl, setting } from './setting.ts'

const databaseUrl = (text: string) =>
  /^(postgres|postgresql):\/\/.+/.test(text) || /^sqlite:.+/.test(text) ? text : undefined

/** The database, and how long rows are kept. */
export const storage = {
  DATA_DIR: setting({
    expected: 'a folder',
    means: 'Folder of the embedded database and generated keys',
    default: '.data',
    parse: (text) => resolve(text),
  }),
  DATABASE_URL: setting({
    expected: 'postgres://… or sqlite:FILE',
    means: 'Database. Default: SQLite in DATA_DIR',
    default: '',
    parse: optional(databaseUrl),
    isSecret: true,
  }),
  DATABASE_READ_URL: setting({
    expected: 'postgres://…',
    means:
      'Streaming standby of DATABASE_URL. Lists and searches of requests without credentials are read there; see docs/operating.md. Unset: everything is read from DATABASE_URL',
    default: '',
    parse: optional(postgresUrl),
    isSecret: true,
  }),
  DATABASE_READ_MAX_LAG: setting({
    expected: 'a number of seconds from 2 to 3600',
    means: 'While the standby is further behind than this, everything is read from DATABASE_URL',
    default: '5',
    parse: (text) => (/^\d{1,4}$/.test(text) && Number(text) >= 2 && Number(text) <= 3_600 ? Number(text) : undefined),
  }),
  DATABASE_WAIT: setting({
    expected: 'a number of seconds up to 3600',
    means: 'How long a start waits for PostgreSQL to answer; the log says what it waits for',
    default: '60',
    parse: (text) => (/^\d{1,4}$/.test(text) && Number(text) <= 3_600 ? Number(text) : undefined),
  }),
  LINK_RETENTION_DAYS: setting({
    expected: 'a number from 1 to 3650',
    means:
      'Days that links are stored after they expire. Meanwhile, their providers see them, and their pages say that they have expired',
    default: '30',
    parse: count(3_650),
  }),
  EVENT_RETENTION_DAYS: setting({
    expected: 'a number of days from 30 to 36500',
    means:
      'Days after which entries of the audit trail are deleted. They show what a leaked key did, so keep a year or more. Default: kept forever',
    default: '',
    parse: optional((text) =>
      /^\d{2,5}$/.test(text) && Number(text) >= 30 && Number(text) <= 36_500 ? Number(text) : undefined,
    ),
  }),
} as const
