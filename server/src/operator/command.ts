import { existsSync } from 'node:fs'
import { Refusal } from '@countersign/sdk/contract'
import type { Config } from '../config.ts'
import type { Database } from '../db/engine.ts'
import { openFullText } from '../db/full-text/open.ts'
import { migrate } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import { domainsCommand } from '../domains/command.ts'
import { createEventRecorder, type EventRecorder } from '../events/service.ts'
import { defaultPublicUrl } from '../hosts.ts'
import { createNewId, type NewId } from '../ids.ts'
import { reportsCommand } from '../incidents/command.ts'
import { createMailService, type MailService } from '../mail/service.ts'
import { createProtection } from '../names/rules.ts'
import { type Egress, openEgress } from '../outbound/egress.ts'
import { samplesCommand } from '../samples/command.ts'
import { createListings, type Listings } from '../search/listings.ts'
import { logCommand } from '../transparency/command.ts'

/** What an operator command works with. Email is queued; the running registry sends it. */
export interface Operator {
  database: Database
  events: EventRecorder
  listings: Pick<Listings, 'providerChanged'>
  mail: Pick<MailService, 'alert' | 'queue'>
  now: () => number
  newId: NewId
  /** Encrypts the keys of the transparency log. */
  logEncryptionKey: Config['logEncryptionKey']
  logPolicy: Config['logPolicy']
  /** Close it afterwards. */
  openEgress: () => Egress
  print: (line: string) => void
}

export interface OperatorCommand {
  /** The words after `countersign-server`, and what they do. */
  usage: readonly (readonly [words: string, means: string])[]
  /** False if the words are not one of these commands. An error is printed and exits 1. */
  run: (operator: Operator, args: readonly string[]) => Promise<boolean>
}

const commands: Readonly<Record<string, OperatorCommand>> = {
  domains: domainsCommand,
  log: logCommand,
  reports: reportsCommand,
  samples: samplesCommand,
}

export const isOperatorCommand = (name: string): boolean => Object.hasOwn(commands, name)

/** One line of usage, which fits 80 columns if `means` has at most 44. */
export const usageLine = (words: string, means: string): string => `  ${words.padEnd(32)}  ${means}\n`

const linesOf = ({ usage }: OperatorCommand): string[] => usage.map(([words, means]) => usageLine(words, means))

export const operatorUsage = Object.values(commands).flatMap(linesOf).join('')

/** The usage of one operator command. */
export const helpOf = (name: string): string =>
  `Usage: countersign-server COMMAND\n\n${commands[name] ? linesOf(commands[name]).join('') : ''}`

/** `database` has the current schema. */
export const openOperator = async (config: Config, database: Database) => {
  const now = Date.now
  const newId = createNewId(now)
  const listings = createListings({
    database,
    fullText: await openFullText(database),
    protection: createProtection(config.protectedNames),
    now,
  })
  const operator: Operator = {
    database,
    now,
    newId,
    logEncryptionKey: config.logEncryptionKey,
    logPolicy: config.logPolicy,
    openEgress: () => openEgress(config),
    events: createEventRecorder({ now, newId }),
    listings,
    mail: createMailService({
      database,
      publicUrl: config.publicUrl ?? defaultPublicUrl(config.host, config.port),
      now,
      newId,
      deliver: () => Promise.reject(new Error('The operator’s commands only queue email')),
      onFailure: () => {},
      onAbandoned: () => {},
    }),
    print: (line) => process.stdout.write(`${line}\n`),
  }
  return {
    ...operator,
    /** Lists everything public that is missing from the search index. */
    repairSearch: () => listings.repair(new AbortController().signal),
  }
}

/** Works on the database itself; running registries notice at their next request. Each command records an event. */
export const runOperatorCommand = async (name: string, args: readonly string[], config: Config) => {
  const command = commands[name]
  if (!command) return
  const fail = (exitCode: number, message: string) => {
    process.stderr.write(`countersign-server ${name}: ${message}\n`)
    process.exitCode = exitCode
  }
  const file = config.databaseUrl.replace(/^sqlite:/, '')
  if (file !== config.databaseUrl && !existsSync(file))
    return fail(1, `there is no registry at ${file}. Set DATA_DIR or DATABASE_URL.`)
  const database = await openDatabase(config.databaseUrl)
  await migrate(database, Date.now)
  const operator = await openOperator(config, database)
  try {
    if (!(await command.run(operator, args))) fail(2, `expected one of these:\n${linesOf(command).join('').trimEnd()}`)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    fail(1, error.message)
  } finally {
    await operator.database.close()
  }
}
