import { pino } from 'pino'

type Destination = Pick<ReturnType<typeof pino.destination>, 'write' | 'flush' | 'flushSync'>

const portionLength = 16_384
/** Half of the longest wait: in `inPortions`, then in the destination. */
const halfWaitMs = 50

/**
 * Collects lines, and passes them on when they have 16,384 characters, after 50 ms, or when the process exits. For each text that it gets,
 * pino's destination copies all that it still holds (docs/decisions/log-lines-are-passed-on-in-portions.md).
 */
export const inPortions = (destination: Destination): Destination => {
  let lines: string[] = []
  let length = 0
  let timer: NodeJS.Timeout | undefined

  const pass = () => {
    clearTimeout(timer)
    timer = undefined
    if (lines.length === 0) return
    const portion = lines.join('')
    lines = []
    length = 0
    destination.write(portion)
  }

  // Before the destination's own listener, which writes what it holds.
  process.prependListener('exit', pass)
  return {
    write: (line) => {
      lines.push(line)
      length += line.length
      if (length >= portionLength) pass()
      else timer ??= setTimeout(pass, halfWaitMs).unref()
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

/**
 * Standard output. Requests do not wait for it. A short portion waits in the destination's memory, so that it can still be written
 * synchronously when the process fails or exits.
 */
export const openLogDestination = (): Destination =>
  inPortions(pino.destination({ sync: false, minLength: portionLength, maxWrite: 65_536, periodicFlush: halfWaitMs }))
