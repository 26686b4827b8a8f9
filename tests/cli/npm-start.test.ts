import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parsePolicy, verifyCheckpoint } from '@countersign/sdk/log'
import { expect, it, onTestFinished } from 'vitest'
import { freePort } from '../../scripts/start/ports.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** `npm start` on free ports with its own data; resolves at the end of its story. */
const startStory = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-start-'))
  const port = (await freePort('127.0.0.1', 0)) ?? 0
  const child = spawn(process.execPath, ['scripts/run.mjs', 'start'], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', HOME: folder, DATA_DIR: folder, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  let output = ''
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk
        if (output.includes('The registry stays up.')) resolve()
      })
    }
    void ended.then((code) => reject(new Error(`npm start exited ${code}:\n${output}`)))
  })
  const stop = () => {
    child.kill('SIGTERM')
    return ended
  }
  return { folder, output, stop, url: `http://localhost:${port}` }
}

it('npm start shows a link whose facts two witnesses saw, and runs a monitor that reports them', async () => {
  const { folder, output, stop, url } = await startStory()
  expect(output).toMatch(/countersign log proof \S+ --policy/)
  expect(output).toMatch(/Proofs\s+4 of 4 are valid/)
  expect(output).toMatch(/Witnesses\s+a quorum has seen them/)
  const settings = [...output.matchAll(/^ {2}export (COUNTERSIGN_\w+)=(\S+)$/gm)].map(([, name, value]) => [
    name,
    value,
  ])
  const [, tlsUrl] = /--tls-url (\S+)/.exec(output) ?? []
  expect(Object.fromEntries(settings)).toEqual({
    COUNTERSIGN_API_URL: url,
    COUNTERSIGN_TLS_URL: tlsUrl,
    COUNTERSIGN_CA_FILE: join(folder, 'tls/ca.crt'),
    COUNTERSIGN_CONFIG_DIR: join(folder, 'me'),
  })
  const [, domain = ''] = /Published on[^\n]+\n\s+_countersign\.(\S+)/.exec(output) ?? []

  const policy = parsePolicy(await readFile(join(folder, 'log/log.policy'), 'utf8'))
  const readCosigners = async () => {
    const checkpoint = await (await fetch(`${url}/log/checkpoint`)).text()
    return [...(await verifyCheckpoint(checkpoint, policy)).cosigned.keys()].sort()
  }
  await expect.poll(readCosigners, { timeout: 10_000 }).toEqual(['north.example', 'south.example'])

  const monitored = () => readFile(join(folder, 'log/monitor.log'), 'utf8').catch(() => '')
  await expect.poll(monitored, { timeout: 30_000 }).toMatch(new RegExp(`domain\\.proven +${domain}`))

  expect(await stop()).toBe(0)
  // The witnesses end with it.
  for (const { url = '' } of policy.witnesses.values())
    await expect
      .poll(
        () =>
          fetch(url).then(
            () => 'up',
            () => 'down',
          ),
        { timeout: 10_000 },
      )
      .toBe('down')
}, 90_000)
