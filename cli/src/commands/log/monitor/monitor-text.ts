import { isPrivate } from '@countersign/sdk/log/entries'
import { quote, quoteExactly } from '@countersign/sdk/words'
import { type Paint, printable } from '../../../render/output.ts'
import { shellWord } from '../../../render/shell-word.ts'
import { shownTime } from '../../../render/shown-time.ts'
import { witnessWords } from '../log-checkpoint.ts'
import type { Finding } from './findings.ts'
import type { Report } from './monitor.ts'

const nearWords = {
  same: '',
  other_ending: 'another ending of',
  lookalike: 'looks like',
  typo: 'one or two letters away from',
  added_words: 'contains',
} as const

const kindWords = {
  fork: 'The log signed two trees that contradict each other.',
  rollback: 'The log shows an older tree than before.',
  backfill: 'The log contains a fact that was logged long after its time.',
  changed_entry: 'The log serves an entry that is not the one in its signed tree.',
  missing_tree: 'The log does not serve the tree that it signed.',
  unlogged_key: 'The log is signed by a key that it did not announce before.',
} as const

/** The log names a signer and a server at a platform so. A declared signer is JSON. */
const isExact = (field: string, type: string) =>
  field === 'subject' || (field === 'identity' && type.startsWith('bundle.'))

/** One line for an entry: its time, type and subject, and why it is reported. */
export const findingText =
  ({ index, at, type, entry, near, watched, texts }: Finding) =>
  (paint: Paint): string => {
    const start = paint.dim(String(index))
    if (entry === null)
      return `${start}  ${paint.red('malformed entry')}  ${printable(quote(type))}  (this version cannot read it; an honest log has none)`
    const domain = !isPrivate(entry) && 'domain' in entry ? entry.domain : undefined
    const provider = !isPrivate(entry) && 'provider' in entry ? entry.provider : undefined
    const vkey = !isPrivate(entry) && 'vkey' in entry ? entry.vkey : undefined
    const stated = Object.entries(texts).map(([field, text]) =>
      isExact(field, type) ? quoteExactly(text) : quote(text),
    )
    const said = [domain, ...stated, provider, vkey].filter((text) => text !== undefined)
    const why = near && near !== 'same' ? paint.yellow(` (${nearWords[near]} ${watched})`) : ''
    return `${start}  ${shownTime(at)}  ${type}  ${said.map(printable).join('  ')}${why}`
  }

export const reportText =
  (report: Report) =>
  (paint: Paint): string => {
    const { origin, size, new_entries, findings, sources, witnesses, evidence, is_pinned } = report
    if (evidence)
      return [
        paint.red(kindWords[evidence.kind]),
        `Evidence: ${evidence.file}`,
        `Anyone can check it: countersign log verify ${shellWord(evidence.file)}`,
      ].join('\n')
    const agreeing = sources.filter(({ state }) => state === 'agrees').length
    return [
      ...findings.map((finding) => findingText(finding)(paint)),
      `${paint.green('Consistent:')} ${origin} has ${size} entries, ${new_entries} of them new; ${findings.length} reported.`,
      'Names of private models and of accounts without a proven domain are not in the log.',
      `Witnesses: ${witnessWords(witnesses, is_pinned)}`,
      ...(sources.length === 0 ? [] : [`Other places that show the same tree: ${agreeing} of ${sources.length}`]),
    ].join('\n')
  }
