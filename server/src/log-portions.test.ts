import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createLog } from './log.ts'
import { inPortions } from './log-portions.ts'

const collect = () => {
  const written: string[] = []
  const portions = inPortions({
    write: (text) => written.push(text) > 0,
    flush: (done) => done?.(),
    flushSync: () => {},
  })
  return { written, portions }
}

it('passes lines on together after 100 ms', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { written, portions } = collect()
  portions.write('a\n')
  vi.advanceTimersByTime(60)
  portions.write('b\n')
  expect(written).toEqual([])
  vi.advanceTimersByTime(40)
  expect(written).toEqual(['a\nb\n'])
  portions.write('c\n')
  vi.advanceTimersByTime(100)
  expect(written).toEqual(['a\nb\n', 'c\n'])
})

it('passes lines on at once when there are 16 KB of them, or when the log is flushed', () => {
  const { written, portions } = collect()
  const line = `${'x'.repeat(8_191)}\n`
  portions.write(line)
  portions.write(line)
  expect(written).toEqual([line + line])
  portions.write('a\n')
  portions.flushSync()
  expect(written.at(-1)).toBe('a\n')
})

it('writes a line before the callback of a flush', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-log-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'log')
  const log = createLog('info', inPortions(pino.destination({ dest: file, sync: false, minLength: 1 })))
  log.info('last words')
  await new Promise((resolve) => log.flush(resolve))
  expect(readFileSync(file, 'utf8')).toContain('last words')
})

it.each([
  ['exits', 'process.exit(0)'],
  ['ends', ''],
  ['fails', 'setImmediate(() => { throw new Error("fails") })'],
])('writes all lines when the process %s', (_, end) => {
  const program = `
    import { pino } from 'pino'
    import { inPortions } from '${new URL('log-portions.ts', import.meta.url)}'
    const log = pino(inPortions(pino.destination({ sync: false, minLength: 1 })))
    for (let line = 0; line < 500; line++) log.info({ line })
    ${end}`
  let output = ''
  try {
    output = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: new URL('..', import.meta.url),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  } catch (error) {
    output = (error as { stdout: string }).stdout
  }
  expect(
    output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).line),
  ).toEqual(Array.from({ length: 500 }, (_, line) => line))
})
