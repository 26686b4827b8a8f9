import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseCheckpoint, parseNote, type TreeHead } from '@countersign/sdk/log'
import { createDurably } from '../durable-file.ts'

/** The last cosigned checkpoint of a log; `number` counts them. */
export interface Latest extends TreeHead {
  number: number
  /** With the signatures of the log and the witness. */
  note: string
}

/** The name of a log in addresses and folders: the SHA-256 of its origin. */
export const hashOfOrigin = (origin: string) => createHash('sha256').update(origin).digest('hex')

const digits = 15

/** The checkpoints that a witness cosigned: per log a folder with numbered files, of which the highest counts. */
export const createCheckpointStore = (folder: string) => {
  const numbersIn = (path: string) =>
    readdirSync(path)
      .filter((name) => new RegExp(`^\\d{${digits}}$`).test(name))
      .map(Number)
      .sort((a, b) => a - b)
  const folderOf = (originHash: string) => {
    const path = join(folder, originHash)
    mkdirSync(path, { recursive: true, mode: 0o700 })
    return path
  }
  const fileOf = (path: string, number: number) => join(path, String(number).padStart(digits, '0'))

  const latest = (originHash: string): Latest | undefined => {
    const path = folderOf(originHash)
    const number = numbersIn(path).at(-1)
    if (number === undefined) return undefined
    const file = fileOf(path, number)
    const note = readFileSync(file, 'utf8')
    try {
      const { size, root } = parseCheckpoint(parseNote(note).text)
      return { number, note, size, root }
    } catch (cause) {
      // Not the fault of the log that asks.
      throw new Error(`${file} is damaged. Start again with a new folder and a new key`, { cause })
    }
  }

  return {
    latest,
    /**
     * Stores the checkpoint that follows `previous`; durable when this returns. Returns false if another request, also of another
     * process, stored one meanwhile: a file is only ever created, and the highest one is never removed.
     */
    replace: (originHash: string, previous: Latest | undefined, note: string): boolean => {
      const path = folderOf(originHash)
      const number = (previous?.number ?? 0) + 1
      if (!createDurably(fileOf(path, number), note)) return false
      const numbers = numbersIn(path)
      // Others may have stored higher ones and removed this number before it was created here.
      const isLatest = numbers.at(-1) === number
      for (const old of numbers.slice(0, -1)) rmSync(fileOf(path, old), { force: true })
      return isLatest
    },
  }
}

export type CheckpointStore = ReturnType<typeof createCheckpointStore>
