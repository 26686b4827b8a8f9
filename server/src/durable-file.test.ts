import fs from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createFileDurably, replaceFileDurably } from './durable-file.ts'

/** A folder, and what happened in it in order: a file system may lose everything after the last sync of a file and of its folder. */
const record = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-durable-'))
  const steps: string[] = []
  const opened = new Map<number, string>()
  const nameOf = (path: fs.PathLike) => relative(folder, String(path)).replace(/\.[\w-]{36}$/, '.new') || '.'
  const real = { ...fs }
  const spies = [
    vi.spyOn(fs, 'openSync').mockImplementation((path, flags, mode) => {
      const handle = real.openSync(path, flags, mode)
      opened.set(handle, nameOf(path))
      return handle
    }),
    vi.spyOn(fs, 'writeSync').mockImplementation(((handle: number, text: string) => {
      steps.push(`write ${opened.get(handle)}`)
      return real.writeSync(handle, text)
    }) as typeof fs.writeSync),
    vi.spyOn(fs, 'fsyncSync').mockImplementation((handle) => {
      steps.push(`sync ${opened.get(handle)}`)
      real.fsyncSync(handle)
    }),
    ...(['linkSync', 'renameSync'] as const).map((name) =>
      vi.spyOn(fs, name).mockImplementation((from, to) => {
        steps.push(`${name} ${nameOf(from)} ${nameOf(to)}`)
        real[name](from, to)
      }),
    ),
  ]
  syncBuiltinESMExports()
  onTestFinished(async () => {
    for (const spy of spies) spy.mockRestore()
    syncBuiltinESMExports()
    await rm(folder, { recursive: true })
  })
  return { folder, steps }
}

it('syncs a new file before it has its name, then every folder with a new entry', async () => {
  const { folder, steps } = await record()
  const file = join(folder, 'a/b/key')
  createFileDurably(file, 'secret')
  expect(steps).toEqual([
    'sync .',
    'sync a',
    'write a/b/key.new',
    'sync a/b/key.new',
    'linkSync a/b/key.new a/b/key',
    'sync a/b',
  ])
  expect(fs.readFileSync(file, 'utf8')).toBe('secret')
  expect(fs.readdirSync(join(folder, 'a/b'))).toEqual(['key'])
  expect(fs.statSync(file).mode & 0o777).toBe(0o600)
})

it('keeps the file that another process created first', async () => {
  const { folder } = await record()
  const file = join(folder, 'key')
  createFileDurably(file, 'first')
  createFileDurably(file, 'second')
  expect(fs.readFileSync(file, 'utf8')).toBe('first')
})

it('replaces a file with a complete one', async () => {
  const { folder, steps } = await record()
  const file = join(folder, 'key')
  createFileDurably(file, 'first')
  steps.length = 0
  replaceFileDurably(file, 'second')
  expect(steps).toEqual(['write key.new', 'sync key.new', 'renameSync key.new key', 'sync .'])
  expect(fs.readFileSync(file, 'utf8')).toBe('second')
})
