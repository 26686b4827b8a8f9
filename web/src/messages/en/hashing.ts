import { quoteFile } from '@countersign/sdk/words'
import { formatBytes, formatNumber } from './site.ts'

/** Hashing files of a model in the browser. */
export const hashing = {
  drop: 'Drop the model’s file or folder here',
  chooseFile: 'Choose files',
  chooseFolder: 'Choose a folder',
  choosingFiles: 'Files of the model',
  choosingFolder: 'Folder of the model',
  hashing: (file: string) => `Hashing ${quoteFile(file)}`,
  progress: (done: number, total: number) => `${formatBytes(done)} of ${formatBytes(total)}`,
  stop: 'Stop',
  failed: {
    empty: 'The folder is empty. Choose the folder with the model’s files.',
    tooMany: (most: number) =>
      `There are more than ${formatNumber(most)} files. Leave out files that aren’t part of the model, such as caches.`,
    badName: (name: string) =>
      `The name ${quoteFile(name)} can’t be displayed, or is treated as a path on other systems. Rename the file.`,
    sameName: (name: string) =>
      `Two files are called ${quoteFile(name)}. Choose the folder instead of individual files.`,
    unreadable: (name: string) =>
      `${quoteFile(name)} could not be read, or it changed while being read. Choose it again.`,
    worker: 'This browser could not start hashing. Run “countersign models digest PATH” instead.',
  },
} as const
