import type { pino } from 'pino'

type Destination = Pick<ReturnType<typeof pino.destination>, 'write' | 'flush' | 'flushSync'>

const portionLength = 16_384
const longestMs = 100

/**
 * Collects lines and passes them on together, at the latest after 100 ms or when the process exits. The destination copies all that waits
 * for each line that it gets: 4 µs of CPU.
 */
export const inPortions = (destination: Destination): Destination => {
  let lines: string[] = []
  let length = 0
  let timer: NodeJS.Timeout | undefined

  const pass = () => {
    clearTimeout(timer)
    timer = undefined
    if (lines.length === 0) return
    destination.write(lines.join(''))
    lines = []
    length = 0
  }

  // Before the listeners with which the destination writes what it has.
  process.prependListener('beforeExit', pass)
  process.prependListener('exit', pass)
  return {
    write: (line) => {
      lines.push(line)
      length += line.length
      if (length >= portionLength) pass()
      else timer ??= setTimeout(pass, longestMs).unref()
      return true
    },
    flush: (done) => {
      pass()
      destination.flush(done)
    },
    flushSync: () => {
      pass()
      destination.flushSync()
    },
  }
}
