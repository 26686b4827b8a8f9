import { quote, quoteExactly, quoteFile } from '@countersign/sdk/words'
import { widthOf } from '../io/width.ts'
import { split, wrap } from '../io/wrap.ts'
import { printableText } from './output.ts'

/** Text from someone else, with a bar in every row so that it can't pass for our own output. */
export const quoteBlock = (text: string, columns: number, bar = '  │ '): string =>
  printableText(text)
    .replaceAll('\t', '  ')
    .split('\n')
    .flatMap((line) => wrap(line, columns - widthOf(bar)).split('\n'))
    .flatMap((line) => split(line, columns - widthOf(bar)))
    .map((line) => `${bar}${line}`.trimEnd())
    .join('\n')

/** The name of a file without loss; quoted unless it is plain. */
export const shownFile = (name: string): string => (/^[\w.+@/-]+$/.test(name) ? name : quoteFile(name))

/** A version of a model, in words that its provider chose. */
export const modelLabel = (model: { api_model_identifier: string; version: string }): string =>
  quote(`${model.api_model_identifier} ${model.version}`)

/** An address from someone else. Its host is written as browsers resolve it, so that lookalike letters are visible. */
export const shownAddress = (address: string): string => URL.parse(address)?.href ?? quote(address)

/** Names and values that someone chose, such as labels. */
export const shownPairs = (pairs: Readonly<Record<string, string>>): string =>
  Object.entries(pairs)
    .map(([name, value]) => `${name}=${quoteExactly(value)}`)
    .join(', ')
