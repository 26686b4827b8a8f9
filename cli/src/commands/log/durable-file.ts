import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const writeSynced = (path: string, text: string) => {
  const file = openSync(path, 'w', 0o600)
  try {
    writeFileSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** A new name in a folder survives a power cut only after the folder is synced. */
const syncFolder = (path: string) => {
  // Windows cannot open folders; its renames are journaled.
  if (process.platform === 'win32') return
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

let written = 0
const temporaryOf = (path: string) => `${path}.${process.pid}.${written++}.tmp`

/** Writes a file, readable by its owner only. When this returns, the content survives a power cut. */
export const writeDurably = (path: string, text: string) => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = temporaryOf(path)
  try {
    writeSynced(temporary, text)
    renameSync(temporary, path)
    syncFolder(dirname(path))
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/** The same, unless the file exists: then it returns false and changes nothing, even if another process created it. */
export const createDurably = (path: string, text: string): boolean => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = temporaryOf(path)
  try {
    writeSynced(temporary, text)
    linkSync(temporary, path)
    syncFolder(dirname(path))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(temporary, { force: true })
  }
}
