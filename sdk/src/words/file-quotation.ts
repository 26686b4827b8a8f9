import { quote, quoteExactly } from './quotation.ts'

/** Quotes the name of a file without loss, with its letters in any script. */
export const quoteFile = (name: string): string => (quote(name) === `“${name}”` ? quote : quoteExactly)(name)
