import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { askShared } from '../support/databases.ts'
import { compileCache, type Environment, startServer } from '../support/server-process.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The commands under a heading of docs/operating.md, in order. */
const blocksUnder = async (heading: string): Promise<string[]> => {
  const page = await readFile(join(root, 'docs/operating.md'), 'utf8')
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? ''
  return [...section.matchAll(/^```sh\n([^`]+)^```$/gm)].map(([, commands = '']) => commands)
}

/** A registry that ran and was stopped, and a shell in which `countersign-server` is this version. */
const prepare = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-page-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const command = join(folder, 'bin/countersign-server')
  await mkdir(join(folder, 'bin'))
  await mkdir(join(folder, 'backups'))
  await writeFile(command, `#!/bin/sh\nexec "${process.execPath}" "${await askShared('server')}" "$@"\n`)
  await chmod(command, 0o755)
  const environment: Environment = { DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'info', NODE_NO_WARNINGS: '1' }
  const run = async (commands: string) => {
    const child = spawn('bash', ['-euo', 'pipefail', '-c', commands], {
      cwd: root,
      env: {
        ...environment,
        NODE_COMPILE_CACHE: compileCache,
        BACKUPS: join(folder, 'backups'),
        PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
        TMPDIR: folder,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk
      })
    const [code] = (await once(child, 'close')) as [number | null]
    return { code, output }
  }
  return { folder, environment, run }
}

it('the restore drill works as it is written, beside a running registry', async () => {
  const { folder, environment, run } = await prepare()
  const server = await startServer(environment)
  onTestFinished(async () => void (await server.end('SIGKILL')))
  const [drill = ''] = await blocksUnder('Restore drill')
  const { code, output } = await run(drill)
  expect(output).toMatch(/Backed up .*Restored .*"status":"ready"/s)
  expect(output).not.toMatch(/^fail/m)
  expect(code).toBe(0)
  expect(await readdir(join(folder, 'backups'))).toEqual([])
}, 120_000)

it('an upgrade is rolled back as it is written, without suspending anything', async () => {
  const { environment, run } = await prepare()
  const server = await startServer(environment)
  await server.end('SIGTERM')
  const [before = '', back = ''] = await blocksUnder('Upgrading and rolling back')
  expect(await run(before)).toMatchObject({ code: 0 })
  const upgraded = await startServer(environment)
  await upgraded.end('SIGTERM')
  const { code, output } = await run(back)
  expect(output).toContain('nothing is suspended')
  expect(code).toBe(0)
}, 120_000)
