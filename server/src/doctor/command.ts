import { existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { sql } from 'kysely'
import type { Config } from '../config.ts'
import type { Database } from '../db/engine.ts'
import { migrations } from '../db/migrations/index.ts'
import { openDatabase } from '../db/open.ts'
import { failureOf } from '../db/retry.ts'
import type { StandbyTrouble } from '../db/standby.ts'
import { defaultPublicUrl, isLoopbackUrl } from '../hosts.ts'
import { isKeyMissing, keyFileOf, logKeyFileOf } from '../key-files.ts'
import { findWrongKey } from '../key-fit.ts'
import { createResolveTxt } from '../outbound/dns.ts'
import { EgressError, openEgress } from '../outbound/egress.ts'
import { checkMailServer, defaultMailFrom } from '../outbound/mail.ts'
import { createKeyModule } from '../signing/pkcs11/process.ts'
import { openPrivateKey, opens } from '../signing/rules.ts'
import { isKeyMarkedUsed } from '../start-database.ts'
import { checkCredential } from '../tls-files.ts'
import { isSigning } from '../transparency/log-signers.ts'
import { findState, listLogKeys } from '../transparency/tree-store.ts'
import { askedWitnesses } from '../transparency/witnesses.ts'
import { isConsoleBuilt, webDir } from '../web-dir.ts'

type Level = 'ok' | 'note' | 'fail'
type Finding = readonly [Level, string]
type Checks = readonly (readonly [name: string, check: () => Finding | Promise<Finding>])[]

const minFreeBytes = 1024 ** 3
/** When the alert of deploy/alerts.yml fires. */
const soonMs = 14 * 86_400_000
const clockToleranceMs = 5_000

const sqliteFileOf = ({ databaseUrl }: Config) =>
  databaseUrl.startsWith('sqlite:') ? databaseUrl.slice('sqlite:'.length) : undefined

const checkPermissions = ({ dataDir, givenEncryptionKey }: Config): Finding => {
  if (!existsSync(dataDir)) return ['note', `${dataDir} does not exist; the first start creates it if it is needed`]
  const paths = [dataDir, ...(givenEncryptionKey === null ? [keyFileOf(dataDir)] : []), logKeyFileOf(dataDir)]
  const open = paths.filter((path) => existsSync(path) && (statSync(path).mode & 0o077) !== 0)
  return open.length === 0
    ? ['ok', `${dataDir} is readable only by its owner`]
    : ['fail', `Other users can read ${open.join(' and ')}. Run chmod go-rwx on it.`]
}

const checkDisk = async (config: Config): Promise<Finding> => {
  const file = sqliteFileOf(config)
  if (file === undefined) return ['ok', 'The data is on the database server']
  const { bavail, bsize } = await statfs(dirname(file))
  const free = `${((bavail * bsize) / 1024 ** 3).toFixed(1)} GiB free on the disk of the database`
  return bavail * bsize < minFreeBytes ? ['fail', free] : ['ok', free]
}

const checkFile = async (config: Config): Promise<Finding> => {
  const file = sqliteFileOf(config)
  if (file === undefined) return ['ok', 'PostgreSQL checks its own files']
  const { findDamage } = await import('../db/sqlite-check.ts')
  const damage = findDamage(file)
  return damage === undefined ? ['ok', `${file} is intact`] : ['fail', `${file} is damaged: ${damage}`]
}

const isEmpty = (database: Database): Promise<boolean> =>
  database.read
    .selectFrom('migrations')
    .select('name')
    .limit(1)
    .execute()
    .then(
      (rows) => rows.length === 0,
      (error: unknown) => {
        // Without a schema there is no such table.
        if (failureOf(error) !== undefined) throw error
        return true
      },
    )

const checkSchema = async (database: Database): Promise<Finding> => {
  const rows = await database.read.selectFrom('migrations').select('name').execute()
  const applied = new Set(rows.map(({ name }) => name))
  const missing = migrations.filter(({ name }) => !applied.has(name)).length
  if (rows.length + missing > migrations.length) return ['fail', 'The schema belongs to a newer version of the server']
  return missing > 0 ? ['note', `The next start applies ${missing} migrations`] : ['ok', 'The schema is current']
}

const checkKeys = async (database: Database, config: Config): Promise<Finding> => {
  if (isKeyMissing(config))
    return ['fail', `${keyFileOf(config.dataDir)} is missing. Put it back, or set KEY_ENCRYPTION_KEY.`]
  const wrong = await findWrongKey(database.read, config)
  if (wrong !== undefined) return ['fail', wrong]
  const keys = await database.read.selectFrom('signing_keys').selectAll().execute()
  const suspended = keys.filter(({ state }) => state === 'suspended').length
  if (!keys.some(({ state }) => state === 'active')) return ['note', 'There is no active key; the next start makes one']
  return [
    suspended > 0 ? 'note' : 'ok',
    `The key encryption key opens all ${keys.length} signing keys${suspended > 0 ? `; ${suspended} must be confirmed with \`keys confirm\`` : ''}`,
  ]
}

/** Without its key, nothing is added to the log, and only an alert says so. */
const checkLog = async (
  database: Database,
  { dataDir, publicUrl, logEncryptionKey, givenLogEncryptionKey }: Config,
): Promise<Finding> => {
  const state = await findState(database.read)
  if (!state) return ['note', 'There is no log yet; the next start makes one']
  const signing = (await listLogKeys(database.read)).filter((key) => isSigning(key, Date.now()))
  const isOpen = ({ private_encrypted, key_id }: (typeof signing)[number]) =>
    logEncryptionKey !== null && opens(private_encrypted, logEncryptionKey, key_id)
  if (!signing.every(isOpen)) {
    const place = givenLogEncryptionKey === null ? logKeyFileOf(dataDir) : 'LOG_KEY_ENCRYPTION_KEY'
    return ['fail', `The key of the log cannot be opened: ${place} is missing or another one. Put the old one back.`]
  }
  if (state.halted !== null)
    return ['note', `The log signs nothing (${state.halted}): see \`countersign-server log recover\``]
  return publicUrl === null || state.origin === `${new URL(publicUrl).host}/log`
    ? ['ok', `The key of ${state.origin} can be opened`]
    : ['note', `The log was created as ${state.origin} and keeps that name, although PUBLIC_URL is ${publicUrl}`]
}

/** A witness that the registry never reaches looks like one that is away. */
const checkWitnesses = async (config: Config): Promise<Finding> => {
  const witnesses = askedWitnesses(config.logPolicy)
  if (witnesses.length === 0) return ['note', 'LOG_POLICY names no witness to ask']
  const egress = openEgress(config)
  try {
    const troubles = await Promise.all(
      witnesses.map(async ({ name, url }) => {
        const failure = await egress.fetch(url, { maxBytes: 64_000, timeoutMs: 5_000, maxRedirects: 0 }).then(
          () => undefined,
          (error: unknown) => (error instanceof EgressError ? error : undefined),
        )
        return failure === undefined || failure.kind === 'too_large' ? [] : [{ name, url, failure }]
      }),
    )
    const found = troubles.flat()
    if (found.length === 0) return ['ok', `All ${witnesses.length} witnesses answer`]
    const words = found.map(({ name, url, failure }) => `${name} (${url}): ${failure.message}`).join(' ')
    return [found.some(({ failure }) => failure.kind === 'refused') ? 'fail' : 'note', words]
  } finally {
    await egress.close()
  }
}

const checkKeyModule = async (database: Database, config: Config): Promise<Finding> => {
  const { keyModule: settings, encryptionKey } = config
  if ((await findWrongKey(database.read, config)) !== undefined)
    return ['note', 'Not checked: the signing keys cannot be opened']
  const rows = await database.read.selectFrom('signing_keys').selectAll().execute()
  const isInModule = ({ private_encrypted, kid }: (typeof rows)[number]) =>
    openPrivateKey(private_encrypted, encryptionKey, kid) === undefined
  const usable = rows.filter(({ state }) => state === 'active' || state === 'next')
  const inModule = usable.filter(isInModule)
  if (settings === null)
    return inModule.length > 0
      ? ['fail', 'A signing key is in a PKCS#11 token, but PKCS11_MODULE is not set']
      : ['ok', 'Not used: PKCS11_MODULE is not set']
  if (inModule.length === 0)
    return ['note', 'The token has no key in use yet. The next rotation makes one; see docs/operating.md']
  const keyModule = createKeyModule(settings)
  try {
    for (const key of inModule) await keyModule.sign(key, 'doctor')
  } finally {
    keyModule.close()
  }
  return inModule.length < usable.length
    ? ['note', 'The token signs, but the active or the next key is still in the database: rotate']
    : ['ok', `The token "${settings.token}" signs with the active and the next key`]
}

const checkClock = async (database: Database): Promise<Finding> => {
  if (database.engine === 'postgres') {
    const { rows } = await sql<{ at: number }>`select extract(epoch from now()) * 1000 as at`.execute(database.read)
    const difference = Math.abs(Number(rows[0]?.at) - Date.now())
    const seconds = `This clock and the database’s differ by ${(difference / 1_000).toFixed(1)} s`
    return [difference > clockToleranceMs ? 'fail' : 'ok', seconds]
  }
  const row = await database.read
    .selectFrom('jobs')
    .select((jobs) => jobs.fn.max('last_run_at').as('last'))
    .executeTakeFirst()
  return (row?.last ?? 0) > Date.now() + clockToleranceMs
    ? ['fail', 'The last run of a job is in the future, so this clock went back']
    : ['ok', 'The clock is not behind the last run of a job']
}

/** How long the standby may take to replay what the primary has now. */
const checkStandby = async (database: Database, { standby: settings }: Config): Promise<Finding> => {
  if (settings === null) return ['note', 'DATABASE_READ_URL is not set: lists are read from DATABASE_URL']
  const { openStandby } = await import('../db/standby.ts')
  const standby = openStandby({ ...settings, primary: database })
  try {
    const started = performance.now()
    await standby.look()
    while (standby.status().trouble === 'lagging' && performance.now() - started < settings.maxLagMs) {
      await new Promise((resolve) => setTimeout(resolve, 100))
      await standby.look()
    }
    const { trouble, lagMs } = standby.status()
    return trouble === null
      ? ['ok', `It follows DATABASE_URL, ${((lagMs ?? 0) / 1_000).toFixed(1)} s behind`]
      : ['fail', standbyTroubles[trouble]]
  } finally {
    await standby.close()
  }
}

const standbyTroubles = {
  unreachable: 'DATABASE_READ_URL cannot be reached. Check its address and password.',
  lagging: 'It did not replay the primary’s writes within DATABASE_READ_MAX_LAG',
  not_a_standby: 'DATABASE_READ_URL is not a standby: it does not follow another server',
  other_cluster: 'DATABASE_READ_URL is not a standby of DATABASE_URL, but of another server',
} as const satisfies Record<StandbyTrouble, string>

const checkDns = async ({ dnsServers, publicUrl }: Config): Promise<Finding> => {
  if (publicUrl === null || isLoopbackUrl(publicUrl)) return ['note', 'Not checked: PUBLIC_URL is a loopback address']
  const { hostname } = new URL(publicUrl)
  const answers = await createResolveTxt(dnsServers)(`_countersign.${hostname}`)
  const silent = answers.filter((answer) => answer === undefined).length
  return silent === 0
    ? ['ok', `All ${answers.length} resolvers answer`]
    : ['fail', `${silent} of ${answers.length} resolvers do not answer; no domain can be proven`]
}

const checkMail = async ({ smtpUrl, mailFrom, publicUrl, host, port }: Config): Promise<Finding> => {
  if (smtpUrl === null) return ['note', 'SMTP_URL is not set: emails are written to DATA_DIR/outbox']
  const from = mailFrom ?? defaultMailFrom(new URL(publicUrl ?? defaultPublicUrl(host, port)).hostname)
  await checkMailServer({ smtpUrl, from })
  return ['ok', 'The mail server accepts the connection, its credentials and the sender']
}

const checkTls = ({ tls }: Config): Finding => {
  if (tls === null) return ['ok', 'Not used: TLS_PORT is not set']
  const at = checkCredential(tls)
  const day = new Date(at).toISOString().slice(0, 10)
  if (at <= Date.now()) return ['fail', `The certificate in TLS_CERT_FILE expired on ${day}`]
  return [at - Date.now() < soonMs ? 'note' : 'ok', `The certificate in TLS_CERT_FILE expires on ${day}`]
}

const checkConsole = (): Finding =>
  isConsoleBuilt()
    ? ['ok', 'The pages of links and the console are installed']
    : ['fail', `${webDir} is missing, so links open as an error. Install @countersign/web, or build it.`]

const firstStart = 'The first start creates it'

/** A registry that was never started has neither a key nor a database. */
const checkMissing = (config: Config, file: string | undefined): Finding =>
  isKeyMarkedUsed(config)
    ? ['fail', `${file ?? 'The database'} is missing or empty, but its key was used. Restore a backup.`]
    : ['note', `${file ?? 'The database'} is not there yet. ${firstStart}.`]

const runChecks = async (checks: Checks): Promise<boolean> => {
  let isHealthy = true
  for (const [name, check] of checks) {
    let finding: Finding
    try {
      finding = await check()
    } catch (error) {
      finding = ['fail', error instanceof Error ? error.message : String(error)]
    }
    const [level, text] = finding
    if (level === 'fail') isHealthy = false
    process.stdout.write(`${level.padEnd(5)} ${name.padEnd(12)} ${text}\n`)
  }
  return isHealthy
}

/** Changes nothing. Exits 1 if something must be fixed. */
export const runDoctor = async (readSettings: () => Config) => {
  // An invalid setting is printed like any other error of a command.
  const config = readSettings()
  let isHealthy = await runChecks([
    ['settings', () => ['ok', 'All settings are valid']],
    ['permissions', () => checkPermissions(config)],
    ['console', checkConsole],
    ['dns', () => checkDns(config)],
    ['mail', () => checkMail(config)],
    ['tls', () => checkTls(config)],
  ])
  isHealthy = (await runDatabaseChecks(config)) && isHealthy
  if (!isHealthy) process.exitCode = 1
}

const runDatabaseChecks = async (config: Config): Promise<boolean> => {
  const file = sqliteFileOf(config)
  if (file !== undefined && !existsSync(file)) return runChecks([['database', () => checkMissing(config, file)]])
  const isFileHealthy = await runChecks([['file', () => checkFile(config)]])
  const database = await openDatabase(config.databaseUrl)
  try {
    const answers = () => database.ping().then(() => ['ok', `${database.engine} answers`] as const)
    const isReachable = await runChecks([
      ['disk', () => checkDisk(config)],
      ['database', answers],
    ])
    // Every check below would repeat that it does not answer.
    if (!isReachable) return false
    if (await isEmpty(database)) return await runChecks([['schema', () => checkMissing(config, file)]])
    const isRestHealthy = await runChecks([
      ['schema', () => checkSchema(database)],
      ['keys', () => checkKeys(database, config)],
      ['key module', () => checkKeyModule(database, config)],
      ['log', () => checkLog(database, config)],
      ['witnesses', () => checkWitnesses(config)],
      ['clock', () => checkClock(database)],
      ['standby', () => checkStandby(database, config)],
    ])
    return isFileHealthy && isRestHealthy
  } finally {
    await database.close()
  }
}
