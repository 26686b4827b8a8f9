import { limits } from '@countersign/sdk/contract'
import type { Chosen, ChosenFile } from './digest.ts'

/** Stop reading here: there are too many files anyway. */
const mostEntries = limits.modelFiles + 1

const withoutTop = (path: string) => path.slice(path.indexOf('/') + 1)

/** The files or folder chosen in an input field. */
export const chosenFiles = (files: readonly File[]): Chosen | undefined => {
  const [first] = files
  if (first === undefined) return undefined
  const isFolder = first.webkitRelativePath !== ''
  if (isFolder) {
    const name = first.webkitRelativePath.split('/')[0] ?? ''
    return {
      name,
      kind: 'directory',
      files: files.map((file) => ({ name: withoutTop(file.webkitRelativePath), file })),
    }
  }
  return asChosen(files.map((file) => ({ name: file.name, file })))
}

/** Several files are treated as one folder. */
const asChosen = (files: readonly ChosenFile[]): Chosen | undefined => {
  const [first] = files
  if (first === undefined) return undefined
  return files.length === 1 ? { name: first.name, kind: 'file', files } : { name: '.', kind: 'directory', files }
}

const fileOf = (entry: FileSystemFileEntry) => new Promise<File>((resolve, reject) => entry.file(resolve, reject))

const entriesOf = (reader: FileSystemDirectoryReader) =>
  new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory

const walk = async (entry: FileSystemEntry, name: string, found: ChosenFile[]): Promise<void> => {
  if (found.length >= mostEntries) return
  if (isFile(entry)) {
    found.push({ name, file: await fileOf(entry) })
    return
  }
  if (!isFolder(entry)) return
  const reader = entry.createReader()
  // A browser returns up to a hundred entries at a time, and none at the end.
  for (let entries = await entriesOf(reader); entries.length > 0; entries = await entriesOf(reader))
    for (const each of entries) await walk(each, name === '' ? each.name : `${name}/${each.name}`, found)
}

/** The dropped files. Call this before any await: the browser clears them afterwards. */
export const takeDropped = (data: DataTransfer): (() => Promise<Chosen | undefined>) => {
  const entries = [...data.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null)
  const files = [...data.files]
  return async () => {
    // Drops from a page or an extension have no file system entry.
    if (entries.length === 0) return chosenFiles(files)
    const [first] = entries
    const found: ChosenFile[] = []
    if (entries.length === 1 && first?.isDirectory) {
      await walk(first, '', found)
      return { name: first.name, kind: 'directory', files: found }
    }
    for (const entry of entries) await walk(entry, entry.name, found)
    return asChosen(found)
  }
}
