import { fstatSync, statSync, writeSync } from 'node:fs'
import { Failure } from '../failure.ts'
import type { Sink, World } from '../world.ts'

// node:tty loads the network modules, which takes longer than most commands, so only use it for devices.
const isTerminal = (descriptor: 0 | 1 | 2) =>
  isDevice(descriptor) && process.getBuiltinModule('node:tty').isatty(descriptor)

const isDevice = (descriptor: number) => {
  try {
    const about = fstatSync(descriptor)
    return about.isCharacterDevice() && about.rdev !== statSync('/dev/null', { throwIfNoEntry: false })?.rdev
  } catch {
    return false
  }
}

export const stdin: World['stdin'] = {
  get isTerminal() {
    return isTerminal(0)
  },
  read: async () => {
    const chunks: Buffer[] = []
    for await (const chunk of process.stdin) chunks.push(chunk)
    return Buffer.concat(chunks)
  },
}

/** Writes synchronously, bypassing the streams of `process` for the same reason. */
export const createSink = (descriptor: 1 | 2): Sink => ({
  get isTerminal() {
    return isTerminal(descriptor)
  },
  get columns() {
    return isTerminal(descriptor) ? (descriptor === 1 ? process.stdout : process.stderr).columns : undefined
  },
  write: (text) => writeAll(descriptor, Buffer.from(text)),
})

const writeAll = (descriptor: number, bytes: Uint8Array) => {
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(descriptor, bytes, done)
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      // A reader that closed early, such as `| head`, has seen enough; the exit code still gives the result.
      if (code === 'EPIPE') return
      if (code !== 'EAGAIN') {
        const reason = message.replace(/^\w+: |, write$/g, '')
        throw new Failure('output', 1, `The output could not be written: ${reason}`, null, { cause: error })
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
  }
}
