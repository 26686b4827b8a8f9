import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { formatVkey, parsePolicy, parseVkey } from '@countersign/sdk/log'
import Sqlite from 'better-sqlite3'
import { expect, it, onTestFinished } from 'vitest'
import { createQuickCommandLine } from '../cli/in-process.ts'
import { isFull } from '../support/full.ts'
import { createLogReader } from '../support/log-reader.ts'
import { findFreePort } from '../support/postgres.ts'
import { createWorld } from '../support/world.ts'
import { buildGoProgram } from './go-program.ts'

const run = promisify(execFile)

// Building takes up to three minutes.
const litewitness = isFull
  ? await buildGoProgram('litewitness', 'filippo.io/torchwood/cmd/litewitness')
  : { missing: 'only in full runs' }
const agent = await run('ssh-add', ['-?']).catch((error: NodeJS.ErrnoException) => error)
const missing =
  'missing' in litewitness
    ? litewitness.missing
    : 'code' in agent && agent.code === 'ENOENT'
      ? 'OpenSSH is missing'
      : ''
const why = missing && ` (skipped: ${missing})`

/** A process that ends with the test, and its output once it has a line that matches. */
const startUntil = async (program: string, args: string[], pattern: RegExp): Promise<RegExpExecArray> => {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(async () => {
    if (child.exitCode === null && child.kill()) await once(child, 'exit')
  })
  let output = ''
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`${program} exited ${code}: ${output}`)))
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk
        const found = pattern.exec(output)
        if (found) resolve(found)
      })
  })
}

/** Starts litewitness, whose key is in an SSH agent. */
const startLitewitness = async (program: string) => {
  const { folder } = await createQuickCommandLine('http://127.0.0.1:9')
  const [key, socket, file] = [join(folder, 'key'), join(folder, 'agent'), join(folder, 'witness.db')]
  await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key])
  await startUntil('ssh-agent', ['-D', '-a', socket], /SSH_AUTH_SOCK/)
  await run('ssh-add', ['-q', key], { env: { ...process.env, SSH_AUTH_SOCK: socket } })
  const [, fingerprint = ''] = (await run('ssh-keygen', ['-lf', key])).stdout.split(' ')
  const address = `127.0.0.1:${await findFreePort()}`
  const args = ['-name', 'lite.example/w', '-db', file, '-ssh-agent', socket, '-key', fingerprint, '-listen', address]
  const [, vkey = ''] = await startUntil(program, args, /vkey=(\S+)[\s\S]*msg=listening/)
  return {
    address,
    line: `witness lite ${formatVkey(parseVkey(vkey))} http://${address}`,
    /** What `witnessctl add-log` and `add-key` write. */
    trust: (origin: string, logVkey: string) => {
      const database = new Sqlite(file)
      const emptyRoot = '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='
      database.prepare('insert into log (origin, tree_size, tree_hash) values (?, 0, ?)').run(origin, emptyRoot)
      database.prepare('insert into key (origin, key) values (?, ?)').run(origin, logVkey)
      database.close()
    },
  }
}

it.skipIf(why)(`torchwood’s litewitness cosigns our log as it grows${why}`, { timeout: 120_000 }, async () => {
  if ('missing' in litewitness) return
  const witness = await startLitewitness(litewitness.program)
  const policy = `${witness.line}\nquorum lite\n`
  const world = await createWorld({ logPolicy: parsePolicy(policy), egressAllow: [witness.address] })
  const { transparency } = world.registry
  const { origin = '', vkeys: [vkey = ''] = [] } = (await transparency.describe()) ?? {}
  witness.trust(origin, vkey)
  const reader = await createLogReader(world.address, parsePolicy(`log ${vkey}\n${policy}`))
  const acme = await world.provider('acme')
  await transparency.sequence()
  const first = await reader.checkpoint()
  expect(first).toMatchObject({ isWitnessed: true })
  for (let count = 0; count < 3; count++) {
    await acme.registerModel()
    await transparency.sequence()
    expect(await reader.checkpoint()).toMatchObject({ size: first.size + 1 + count, isWitnessed: true })
  }
  expect(await reader.findFault(first)).toBeUndefined()
})
