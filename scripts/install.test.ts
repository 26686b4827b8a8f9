import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'

const scripts = fileURLToPath(new URL('./', import.meta.url))

/** A clone without dependencies. */
const makeClone = () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-install-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(scripts, join(folder, 'scripts'), {
    recursive: true,
    filter: (path) => !/\/[^/]+\/scripts\/[^/]+\//.test(path),
  })
  const [clone, part] = ['clone', 'part'].map((name) => ({ name, version: '1.0.0' }))
  const about = { ...clone, workspaces: ['part'] }
  const packages = { '': about, part, 'node_modules/part': { resolved: 'part', link: true } }
  mkdirSync(join(folder, 'part'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify(about))
  writeFileSync(join(folder, 'part', 'package.json'), JSON.stringify(part))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ ...clone, lockfileVersion: 3, packages }))
  return folder
}

const setUp = (folder: string) =>
  new Promise<{ code: number | null; output: string }>((resolve) => {
    const child = spawn(process.execPath, ['scripts/setup.mjs', '--install-only'], { cwd: folder })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
    child.on('close', (code) => resolve({ code, output }))
  })

it('installs once if two commands start at the same time, and not again', async () => {
  const folder = makeClone()
  const both = await Promise.all([setUp(folder), setUp(folder)])
  expect(both.map(({ code }) => code)).toEqual([0, 0])
  expect(both.filter(({ output }) => output.includes('Installing dependencies'))).toHaveLength(1)
  expect(existsSync(join(folder, '.countersign-installing'))).toBe(false)
  expect(await setUp(folder)).toEqual({ code: 0, output: '' })
})

it('repairs an installation whose process has ended', async () => {
  const folder = makeClone()
  writeFileSync(join(folder, '.countersign-installing'), String(2 ** 22 + 1))
  expect(await setUp(folder)).toMatchObject({ code: 0, output: expect.stringContaining('was interrupted') })
  expect(await setUp(folder)).toEqual({ code: 0, output: '' })
})
