import { lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { World } from '../world.ts'

/** Small files as the caller of the process names them. */
export interface Files {
  pathOf(name: string): string
  /** The bytes of a file, or of stdin for `-`. */
  read(name: string): Promise<Uint8Array>
}

export const createFiles = ({ cwd, stdin }: World): Files => {
  const pathOf = (name: string) => resolve(cwd, name)
  return {
    pathOf,
    // Not node:fs/promises: it takes longer to load than the file to read.
    read: async (name) => (name === '-' ? stdin.read() : readNamed(pathOf(name))),
  }
}

/** Writes a file whole or not at all: who is interrupted keeps what was there. */
export const writeWhole = (path: string, text: string) => {
  // Only a plain file can be replaced: a device, a pipe and a link are written to.
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) return writeFileSync(path, text)
  const temporary = `${path}.${process.pid}.tmp`
  try {
    writeFileSync(temporary, text)
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/** Of a folder Node says that it is one, and not which. */
const readNamed = (path: string) => {
  try {
    return readFileSync(path)
  } catch (error) {
    throw error instanceof Error && !('path' in error) ? Object.assign(error, { path }) : error
  }
}
