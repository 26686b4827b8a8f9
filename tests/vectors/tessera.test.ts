import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parsePolicy, verifyCheckpoint } from '@countersign/sdk/log'
import { expect, it } from 'vitest'
import { createQuickCommandLine } from '../cli/in-process.ts'
import { isFull } from '../support/full.ts'
import { createGoSigningKey } from '../support/go-signing-key.ts'
import { operateLog } from '../support/operate-log.ts'
import { serveLog } from '../support/transparency-log.ts'
import { createWorld } from '../support/world.ts'
import { buildGoProgram } from './go-program.ts'

// Building takes half a minute.
const go = isFull ? await buildGoProgram('tessera') : { missing: 'only in full runs' }
const why = 'missing' in go ? ` (skipped: ${go.missing})` : ''

it.skipIf(why)(
  `our witness cosigns a log of Tessera, and our monitor reads it and notices a changed entry${why}`,
  { timeout: 120_000 },
  async () => {
    if ('missing' in go) return
    const cli = await createQuickCommandLine('http://127.0.0.1:9')
    const { vkey, signingKey } = createGoSigningKey('tessera.example/log')
    const logs = `log ${vkey}\n`
    await cli.write('logs.policy', `${logs}quorum none\n`)
    const args = ['log', 'witness', '--policy', 'logs.policy', '--state', 'witness', '--name', 'w.example']
    const { outcome } = await cli.start([...args, '--listen', '127.0.0.1:0', '--json'])
    const { url, vkey: witness } = JSON.parse(outcome.stdout) as { url: string; vkey: string }
    await cli.write('tessera.policy', `witness w ${witness} ${url}\nquorum w\n`)

    const folder = join(cli.folder, 'log')
    const checkpoint = await go.run('log', folder, join(cli.folder, 'tessera.policy'), signingKey, '300')
    const policy = `${logs}witness w ${witness} ${url}\nquorum w\n`
    expect(await verifyCheckpoint(checkpoint, parsePolicy(policy))).toMatchObject({ size: 300, isWitnessed: true })

    const read = (path: string) => readFile(join(folder, path)).catch(() => undefined)
    const source = { log: { file: read } }
    const address = await serveLog(source)
    await cli.write('monitor.policy', policy)
    const monitor = async () => {
      const options = ['--policy', 'monitor.policy', '--log', `${address}/log`, '--patience', '0', '--json']
      const { exit, stdout } = await cli.call(['log', 'monitor', ...options])
      return { exit, answer: JSON.parse(stdout) as object }
    }
    expect(await monitor()).toMatchObject({
      exit: 0,
      answer: { size: 300, unknown_entries: 300, is_witnessed: true, sources: [{ state: 'agrees' }] },
    })
    source.log = {
      file: async (path) => {
        const content = await read(path)
        if (path === 'tile/entries/000') content?.writeUInt8(0x45, 2)
        return content
      },
    }
    expect(await monitor()).toMatchObject({ exit: 3, answer: { evidence: { kind: 'changed_entry' } } })
  },
)

it.skipIf(why)(`Tessera’s fsck accepts an export of our log, and no changed entry${why}`, async () => {
  if ('missing' in go) return
  const world = await createWorld()
  const acme = await world.provider('acme')
  // More than a full tile.
  for (let count = 0; count < 260; count += 20)
    await Promise.all(Array.from({ length: 20 }, () => acme.registerModel()))
  await world.registry.transparency.sequence()
  const { folder } = await createQuickCommandLine('http://127.0.0.1:9')
  expect(await operateLog(world, 'export', folder)).toContain('266 entries')
  const { vkeys: [vkey = ''] = [] } = (await world.registry.transparency.describe()) ?? {}
  expect(await go.run('fsck', folder, vkey)).toBe('ok\n')
  const file = join(folder, 'tile/entries/000')
  const bundle = await readFile(file)
  bundle.writeUInt8(0x45, 10)
  await writeFile(file, bundle)
  await expect(go.run('fsck', folder, vkey)).rejects.toThrow()
})
