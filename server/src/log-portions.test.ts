import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { inPortions } from './log-portions.ts'

const collect = (write = (_text: string) => true) => {
  const written: string[] = []
  const portions = inPortions({
    write: (text) => write(text) && written.push(text) > 0,
    flush: (done) => done?.(),
    flushSync: () => {},
  })
  return { written, portions }
}

describe('lines', () => {
  it('are passed on together after 50 ms', () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { written, portions } = collect()
    portions.write('a\n')
    vi.advanceTimersByTime(30)
    portions.write('b\n')
    expect(written).toEqual([])
    vi.advanceTimersByTime(20)
    expect(written).toEqual(['a\nb\n'])
    portions.write('c\n')
    vi.advanceTimersByTime(50)
    expect(written).toEqual(['a\nb\n', 'c\n'])
  })

  it('are passed on at once when they have 16,384 characters, or when the log is flushed', () => {
    const { written, portions } = collect()
    const line = `${'x'.repeat(8_191)}\n`
    portions.write(line)
    portions.write(line)
    expect(written).toEqual([line + line])
    portions.write('a\n')
    portions.flushSync()
    expect(written.at(-1)).toBe('a\n')
  })

  it('are dropped if the destination rejects them', () => {
    let isBroken = true
    const { written, portions } = collect(() => {
      if (isBroken) throw new Error('destroyed')
      return true
    })
    portions.write('a\n')
    expect(() => portions.flushSync()).toThrow('destroyed')
    isBroken = false
    portions.write('b\n')
    portions.flushSync()
    expect(written).toEqual(['b\n'])
  })
})

const busyThreads = `for (let thread = 0; thread < 4; thread++) pbkdf2('a', 'b', 200_000, 64, 'sha512', () => {})`

/** Runs a program that logs 20 lines, and returns the numbers of those that it wrote. */
const linesOf = (end: string, start = '') => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-log-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'log')
  const program = `
    import { pbkdf2 } from 'node:crypto'
    import { createLog } from '${new URL('log.ts', import.meta.url)}'
    import { openLogDestination } from '${new URL('log-portions.ts', import.meta.url)}'
    const log = createLog('info', openLogDestination())
    ${start}
    for (let line = 0; line < 20; line++) log.info({ line })
    ${end}`
  const output = openSync(file, 'w')
  spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: new URL('..', import.meta.url),
    stdio: ['ignore', output, 'ignore'],
  })
  closeSync(output)
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line).line)
}

const all = Array.from({ length: 20 }, (_, line) => line)

describe('all lines are written when the process', () => {
  it.each([
    ['exits', 'process.exit(0)', ''],
    ['ends', '', ''],
    ['fails', 'setImmediate(() => { throw new Error("fails") })', ''],
    ['exits while all threads are busy', 'process.exit(0)', busyThreads],
    ['is killed a second later', `setTimeout(() => process.kill(process.pid, 'SIGKILL'), 1_000)`, ''],
    ['is killed after a flush', `log.flush(() => process.kill(process.pid, 'SIGKILL'))`, ''],
  ])('%s', (_, end, start) => {
    expect(linesOf(end, start)).toEqual(all)
  })

  it('is killed after a fatal error while all threads are busy', () => {
    const end = `log.fatal({ line: 20 }); process.kill(process.pid, 'SIGKILL')`
    expect(linesOf(end, busyThreads)).toEqual([...all, 20])
  })
})
