import { lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { World } from '../world.ts'

/** Small files, named relative to the caller's folder. */
export interface Files {
  pathOf(name: string): string
  /** The bytes of a file, or of stdin for `-`. */
  read(name: string): Promise<Uint8Array>
}

export const createFiles = ({ cwd, stdin }: World): Files => {
  const pathOf = (name: string) => resolve(cwd, name)
  return {
    pathOf,
    // Not node:fs/promises: loading it takes longer than reading the file.
    read: async (name) => (name === '-' ? stdin.read() : readNamed(pathOf(name))),
  }
}

/** Writes atomically: an interrupted write keeps the previous content. */
export const writeWhole = (path: string, text: string) => {
  // Only a regular file can be replaced; write directly to a device, pipe or link.
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

/** For a folder, Node's error lacks the path, so add it. */
const readNamed = (path: string) => {
  try {
    return readFileSync(path)
  } catch (error) {
    throw error instanceof Error && !('path' in error) ? Object.assign(error, { path }) : error
  }
}

export const fileErrors = {
  ENOENT: 'No such file',
  EACCES: 'Permission denied',
  EPERM: 'Permission denied',
  EISDIR: 'A folder, not a file',
  ENOTDIR: 'Not a folder',
  EBUSY: 'The file changed while it was read',
} as const

export const isFileError = (error: unknown): error is NodeJS.ErrnoException & { code: keyof typeof fileErrors } =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && Object.hasOwn(fileErrors, error.code)

/** `No such file: model.bin` */
export const unreadable = (error: unknown, name: string) =>
  `${isFileError(error) ? fileErrors[error.code] : 'Cannot be read'}: ${name}`
