import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, linkSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** A folder's entries survive a power cut only after the folder itself was synced. */
export const syncFolder = (folder: string) => {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

export const syncFile = (file: string) => {
  const handle = openSync(file, 'r+')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Creates a private folder and its parents, and syncs each folder that got a new entry. */
export const createFolderDurably = (folder: string): void => {
  if (existsSync(folder)) return
  createFolderDurably(dirname(folder))
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  syncFolder(dirname(folder))
}

const writeSynced = (file: string, text: string) => {
  const handle = openSync(file, 'wx', 0o600)
  try {
    writeSync(handle, text)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/**
 * Creates a private file that has its whole content at any time, and after a power cut. If another process created it meanwhile, that
 * file stays.
 */
export const createFileDurably = (file: string, text: string): void => {
  createFolderDurably(dirname(file))
  const temporary = `${file}.${randomUUID()}`
  try {
    writeSynced(temporary, text)
    linkSync(temporary, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(temporary, { force: true })
  }
  syncFolder(dirname(file))
}

/** Replaces a private file: after a power cut it has the old content or the new one. */
export const replaceFileDurably = (file: string, text: string): void => {
  const temporary = `${file}.${randomUUID()}`
  try {
    writeSynced(temporary, text)
    renameSync(temporary, file)
  } finally {
    rmSync(temporary, { force: true })
  }
  syncFolder(dirname(file))
}
