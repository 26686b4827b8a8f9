import { execFile, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findFreePort, findUser } from './postgres.ts'

const run = promisify(execFile)

interface Program {
  file: string
  libraries: string | undefined
}

const installed = ['/usr/sbin/pgbouncer', '/usr/local/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer']

/** Debian's package and its libraries, unpacked into a folder: nothing is installed, and root is not needed. */
const unpackFromDebian = async (): Promise<Program> => {
  const folder = join(tmpdir(), 'countersign-pgbouncer')
  const root = join(folder, 'root')
  const file = join(root, 'usr/sbin/pgbouncer')
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true, mode: 0o755 })
    const options = { cwd: folder, timeout: 60_000 }
    const names = ['pgbouncer', 'libevent-2.1-7', 'libc-ares2']
    const { stdout } = await run('apt-cache', ['pkgnames'], { ...options, maxBuffer: 100_000_000 })
    const known = new Set(stdout.split('\n'))
    await run('apt-get', ['download', ...names.map((name) => (known.has(`${name}t64`) ? `${name}t64` : name))], options)
    for (const name of readdirSync(folder).filter((one) => one.endsWith('.deb')))
      await run('dpkg-deb', ['-x', name, root], options)
    chmodSync(root, 0o755)
  }
  const [machine = ''] = readdirSync(join(root, 'usr/lib')).filter((name) => name.includes('linux-gnu'))
  return { file, libraries: join(root, 'usr/lib', machine) }
}

/** The real PgBouncer: installed, or from Debian. Undefined if neither is possible here. */
export const findPgbouncer = async (): Promise<Program | undefined> => {
  const file = installed.find((path) => existsSync(path))
  return file ? { file, libraries: undefined } : unpackFromDebian().catch(() => undefined)
}

/** Starts PgBouncer in transaction mode, with a few server connections that all clients share. */
export const startPgbouncer = async ({ file, libraries }: Program, serverUrl: string) => {
  const { hostname, port: serverPort, username, password } = new URL(serverUrl)
  const user = findUser()
  const folder = mkdtempSync(join(tmpdir(), 'countersign-pooler-'))
  chmodSync(folder, 0o755)
  const port = await findFreePort()
  const users = join(folder, 'users.txt')
  const config = join(folder, 'pgbouncer.ini')
  writeFileSync(users, `"${username}" "${password}"\n`, { mode: 0o644 })
  writeFileSync(
    config,
    `[databases]
* = host=${hostname} port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${users}
pool_mode = transaction
default_pool_size = 4
max_client_conn = 200
server_login_retry = 1
`,
    { mode: 0o644 },
  )
  const child = spawn(file, [config], {
    ...user,
    env: { ...process.env, ...(libraries && { LD_LIBRARY_PATH: libraries }) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve())
  })
  const killAtExit = () => child.kill('SIGKILL')
  process.once('exit', killAtExit)
  await new Promise<void>((resolve, reject) => {
    let log = ''
    child.stderr.on('data', (chunk) => {
      log += chunk
      if (log.includes('process up')) resolve()
    })
    child.once('error', reject)
    ended.then(() => reject(new Error(`PgBouncer did not start.\n${log}`)))
  })
  return {
    /** The address of a database through PgBouncer. */
    urlOf: (databaseUrl: string) => {
      const url = new URL(databaseUrl)
      url.port = String(port)
      return url.href
    },
    stop: async () => {
      child.kill('SIGKILL')
      await ended
      process.off('exit', killAtExit)
      await rm(folder, { recursive: true, force: true })
    },
  }
}
