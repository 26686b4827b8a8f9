import type { DomainProof, DomainVerdict } from '@countersign/sdk/contract'
import type { Flags, OptionRow } from '../../args/command.ts'
import type { Context } from '../../context.ts'
import { wrap } from '../../io/wrap.ts'
import { lookUp } from '../../look-up.ts'
import { facts, printable } from '../../render/output.ts'

export const methodWords = { dns: 'DNS record', file: 'file' } as const

/** For commands that check a domain proof. */
export const methodOption: OptionRow = [
  '--method <method>',
  'where the proof is published; default: dns',
  { choices: ['dns', 'file'] },
]

const isFile = (flags: Flags) => flags.text('method') === 'file'
export const methodOf = (flags: Flags) => (isFile(flags) ? { method: 'file' as const } : {})

export const recordLine = ({
  record_name,
  record_type,
  record_value,
}: Pick<DomainProof, 'record_name' | 'record_type' | 'record_value'>) =>
  printable(`${record_name}  ${record_type}  "${record_value}"`)

/** What to publish: the DNS record as a zone-file line, or the file's address and content. */
export const printProof = (context: Context, flags: Flags, proof: DomainProof) => {
  if (isFile(flags)) {
    const content = JSON.stringify(proof.file_content)
    context.out.print({
      value: proof,
      ids: [content],
      text: (paint) =>
        facts(
          [
            ['address', proof.file_url, 'copied'],
            ['content', content, 'copied'],
          ],
          paint,
        ),
    })
    return
  }
  const record = `${proof.record_name}. ${proof.record_type} "${proof.record_value}"`
  context.out.print({ value: proof, ids: [record], text: () => record })
}

const exits = { verified: 0, not_verified: 3, unknown: 9 } as const
const resultWords = { verified: 'verified', not_verified: 'not verified', unknown: 'could not be checked' } as const

/** What the registry found, what is left to publish, and the exit code. */
export const printVerdict = (context: Context, flags: Flags, verdict: DomainVerdict) => {
  const { domain_proof: proof, domain_verification_method: method } = verdict
  // The domain is already verified by another method; a failed check here doesn't change that.
  const isHeldOtherwise =
    verdict.domain_verified &&
    method !== null &&
    method !== (isFile(flags) ? 'file' : 'dns') &&
    verdict.result === 'not_verified'
  const isVerified = verdict.result === 'verified' || isHeldOtherwise
  const words = lookUp(resultWords, verdict.result) ?? resultWords.unknown
  const isKept = verdict.domain_verified && words === resultWords.unknown
  const by = method !== null && (isHeldOtherwise || isKept) ? `by ${methodWords[method]}` : ''
  context.out.print({
    value: verdict,
    ids: isVerified ? [verdict.domain] : [],
    text: (paint, columns) =>
      `${isVerified ? paint.green('verified') : paint.yellow(words)}  ${printable(verdict.domain)}${by && ` (${isKept ? 'still proven ' : ''}${by})`}\n${wrap(printable(verdict.detail), columns)}`,
  })
  if (isHeldOtherwise) context.out.say(`\nThe domain stays verified by your ${methodWords[method]}.`)
  if (verdict.result !== 'verified' && verdict.reason !== 'waiting_period' && verdict.reason !== 'policy_excludes')
    context.out.say(
      isFile(flags)
        ? `\nServe at ${printable(proof.file_url)}:\n\n  ${JSON.stringify(proof.file_content)}`
        : `\nThe record ${isHeldOtherwise ? 'would' : 'must'} be:\n\n  ${recordLine(proof)}`,
    )
  if (isHeldOtherwise) return 0
  return lookUp(exits, verdict.result) ?? exits.unknown
}
