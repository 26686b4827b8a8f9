import { quote, quoteExactly } from './quotation.ts'

/** Quotes the name of a file without loss, with its letters in any script. Some letters and marks are invisible (`DI`). */
export const quoteFile = (name: string): string =>
  (quote(name.replace(/\p{DI}/gu, '')) === `“${name}”` ? quote : quoteExactly)(name)
