import { type BundleRecord, type BundleVerdict, describeSigner } from '@countersign/sdk/contract'
import { quoteExactly } from '@countersign/sdk/words'
import { namingOptions } from '../../args/option-names.ts'
import { wrap } from '../../io/wrap.ts'
import { facts, type Paint, printable } from '../../render/output.ts'
import { shownTime } from '../../render/shown-time.ts'

type VerdictFacts = Pick<
  BundleVerdict,
  | 'reason'
  | 'predicate_type'
  | 'message'
  | 'checks'
  | 'signer'
  | 'log'
  | 'signed_at'
  | 'signed_digest'
  | 'method'
  | 'trusted_root_date'
>

const heads = {
  verified: 'Verified',
  invalid: 'Not valid',
  unknown: 'Not verified',
  error: 'Could not be checked',
} as const
const colors = { verified: 'green', invalid: 'red', unknown: 'yellow', error: 'yellow' } as const
const marks = { passed: '✓', failed: '✗', not_checked: '-' } as const

/** 0 verified, 3 not verified, 9 could not be checked. */
export const exitOf = (status: BundleVerdict['status']): 0 | 3 | 9 =>
  status === 'verified' ? 0 : status === 'error' ? 9 : 3

type Signed = Pick<BundleRecord, 'bundle_status' | 'provider_domain_verified'>

/** A valid signature by a signer that the account declared, but nothing shows whose account it is. */
const isOfUnknown = ({ bundle_status, provider_domain_verified }: Signed) =>
  bundle_status === 'verified' && !provider_domain_verified

/** A bundle whose check has not ended could not be checked yet. A signature of someone unknown does not count. */
export const exitOfRecord = (record: Signed & Pick<BundleRecord, 'verification_status'>) =>
  record.verification_status === 'in_progress' ? 9 : isOfUnknown(record) ? 3 : exitOf(record.bundle_status)

/** A valid statement about the digest by the named signer, which does not verify the model. A folder's digest covers no names. */
export const isAttestation = ({ reason, checks }: Pick<BundleVerdict, 'reason' | 'checks'>) =>
  reason === 'attestation_only' && checks.some(({ name, result }) => name === 'digest' && result === 'passed')

/** The status, what to do, every check, and who signed. */
export const describeVerdict = (
  status: BundleVerdict['status'],
  verdict: VerdictFacts,
  paint: Paint,
  /** Replaces "Verified" if this is one part of a check that failed. */
  verified: string = heads.verified,
): string =>
  [
    wrap(`${headOf(status, verdict, paint, verified)}: ${printable(verdict.message)}`, paint.columns),
    ...describeChecks(verdict, paint),
    facts(
      [
        ['signed by', verdict.signer && describeSigner(verdict.signer, quoteExactly)],
        ['workflow', verdict.signer?.workflow && quoteExactly(verdict.signer.workflow)],
        ['repository', verdict.signer?.repository && quoteExactly(verdict.signer.repository)],
        ['method', verdict.method],
        ['signed at', verdict.signed_at && shownTime(verdict.signed_at)],
        [
          'log',
          verdict.log &&
            `${verdict.log.kind} entry ${verdict.log.index}${verdict.log.origin ? ` of ${verdict.log.origin}` : ''}`,
        ],
        ['signed digest', verdict.signed_digest],
        ['predicate type', verdict.predicate_type && quoteExactly(verdict.predicate_type)],
        ['trusted root', verdict.trusted_root_date && `of ${verdict.trusted_root_date}`],
      ],
      paint,
    ),
  ]
    .filter((part) => part !== '')
    .join('\n')

const headOf = (status: BundleVerdict['status'], verdict: VerdictFacts, paint: Paint, verified: string): string => {
  if (isAttestation(verdict)) return paint.yellow('Signature valid')
  return status === 'verified' && verified !== heads.verified ? verified : paint[colors[status]](heads[status])
}

/** If the bundle could not be fetched, no check ran and the message is complete. */
const describeChecks = ({ checks }: VerdictFacts, { columns }: Paint): string[] =>
  checks.some(({ result, detail }) => result !== 'not_checked' || detail !== '')
    ? checks.map(({ name, result, detail }) =>
        wrap(
          `  ${marks[result]} ${name.replace('_', ' ')}${detail === '' ? '' : `: ${printable(detail)}`}`,
          columns,
          4,
        ),
      )
    : []

const ofUnknown = {
  head: 'Signed by someone unknown',
  message:
    'The signature is valid for this digest. It does not count until the account that declared its signer has proven a domain.',
}

/** The state of a version's bundle in a few words, as `--quiet` prints it. While a check runs, the status may be that of an earlier bundle. */
export const stateOfBundle = (signed: Signed & Partial<Pick<BundleRecord, 'verification_status'>>): string => {
  if (signed.verification_status === 'in_progress') return 'being checked'
  return isOfUnknown(signed) ? ofUnknown.head.toLowerCase() : signed.bundle_status
}

export const describeRecord = (record: BundleRecord, paint: Paint): string => {
  const now = record.verification_status === 'in_progress' ? '\nA check is running.' : ''
  if (record.bundle_last_checked === null) return `${printable(namingOptions(record.message))}${now}`
  const checked = `checked ${shownTime(record.bundle_last_checked)}${record.bundle_source === 'upload' ? ', uploaded' : ''}`
  const verdict = isOfUnknown(record)
    ? describeVerdict('verified', { ...record, message: ofUnknown.message }, paint, paint.yellow(ofUnknown.head))
    : describeVerdict(record.bundle_status, record, paint)
  return `${verdict}\n${paint.dim(checked)}${now && `${now} The result above is that of the check before it.`}`
}
