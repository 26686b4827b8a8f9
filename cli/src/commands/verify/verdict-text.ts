import type { Check, Result } from '@countersign/sdk/contract'
import { isId, provenDomain } from '@countersign/sdk/verify'
import { linkWords, quote } from '@countersign/sdk/words'
import { wrap } from '../../io/wrap.ts'
import { lookUp } from '../../look-up.ts'
import { bindingWords } from '../../render/binding-words.ts'
import { facts, type Paint, printable } from '../../render/output.ts'
import { changeWords, reasonWords } from '../../render/refusal-words.ts'
import { shownTime } from '../../render/shown-time.ts'
import type { Verdict } from './verdict.ts'

const headlines = {
  verified: ({ green }: Paint) => green('Verified'),
  not_verified: ({ red }: Paint) => red('Not verified'),
  unknown: ({ yellow }: Paint) => yellow('Could not check'),
} as const satisfies Record<Result, (paint: Paint) => string>

const marks = (passed: boolean | null, { green, red, dim }: Paint) =>
  passed === null ? dim('-') : passed ? green('✓') : red('✗')

export interface VerdictTextOptions {
  /** Terminal width; undefined if the output is not a terminal. */
  columns?: number | undefined
  /** Include checks that were not done. */
  isVerbose?: boolean
  /** The registry in use, and the one that the link names. */
  registry?: string
  origin?: string | null
}

/** Human-readable verdict: failed checks, domain, contents, other checks, then what this does not prove. */
export const describeVerdict = (
  verdict: Verdict,
  paint: Paint,
  { columns, isVerbose = false, registry, origin }: VerdictTextOptions = {},
) => {
  const { result, checks } = verdict
  const relevant = checks.filter(({ passed, detail }) => isVerbose || passed !== null || detail !== 'Not checked')
  const listed = (those: typeof relevant) =>
    those
      .map(
        ({ check, passed, detail }) =>
          `\n${wrap(`  ${marks(passed, paint)} ${printable(`${check}: ${detail}`)}`, columns, 4)}`,
      )
      .join('')
  const failed = result === 'not_verified' ? relevant.filter(({ passed }) => passed === false) : []
  const reasons = isAnswerAlone(verdict) ? failed.filter(({ check }) => check === 'answer') : failed
  const source = verdict.claims?.deployment_id === undefined ? 'this model' : 'that deployment'
  const caveat = `This does not prove that the chat you see comes from ${source}: a link can be copied, and a chat can relay your words.`
  return [
    wrap(headlineOf(verdict, paint), columns) + listed(reasons),
    stepsOf(verdict, paint, columns),
    noticeOf(verdict),
    saidBy(verdict, { ...paint, columns }),
    listed(relevant.filter((check) => !reasons.includes(check))).slice(1),
    logOf(verdict, columns),
    verdict.reason === 'foreign_registry' && origin ? wrap(elsewhere(origin, registry), columns) : '',
    result === 'verified' ? paint.dim(wrap(caveat, columns)) : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

const headlineOf = (verdict: Verdict, paint: Paint) => {
  const { result, reason, change } = verdict
  // The caller accepts the provider; that does not prove who it is.
  if (result === 'verified' && provenDomain(verdict) === null)
    return paint.yellow('Genuine; provider not checked (accepted)')
  if (result === 'verified' && verdict.strength === 'provider') return paint.cyan(linkWords.bands.provider_only)
  const changed = change === null ? undefined : lookUp(changeWords, change)
  const words = isAnswerAlone(verdict)
    ? 'its provider did not bind this answer to it'
    : lookUp(reasonWords, reason ?? '')
  const why = reason === null ? '' : `: ${words ?? printable(String(reason))}${changed ? ` (${changed})` : ''}`
  return `${headlines[result](paint)}${why}`
}

/** Everything about the link matched except the answer. */
const isAnswerAlone = ({ reason, checks }: Verdict) => {
  const hasFailed = (name: Check['check']) => checks.some(({ check, passed }) => check === name && passed === false)
  return reason === 'claim_mismatch' && hasFailed('answer') && !hasFailed('expectation')
}

const shapes = { proven: '●', stated: '◐', missing: '○' } as const

/** How far company, server and model file are proven: a symbol, a word and a sentence each. */
const stepsOf = ({ steps }: Verdict, paint: Paint, columns: number | undefined): string => {
  if (steps === null) return ''
  const dyes = { proven: paint.green, stated: paint.yellow, missing: paint.dim }
  const { names, states } = linkWords.steps
  return (['provider', 'server', 'model_file'] as const)
    .map((name) => {
      const { state, text } = steps[name]
      return wrap(`${dyes[state](shapes[state])} ${names[name]} · ${states[state]}: ${printable(text)}`, columns, 2)
    })
    .join('\n')
}

const logWords = {
  logged: 'logged',
  being_logged: 'being logged; check again in a minute',
  logged_privately: 'logged, but nothing of it is public',
  not_logged: 'not logged',
  could_not_check: 'could not check',
} as const

const logOf = ({ log }: Verdict, columns: number | undefined): string =>
  log === undefined ? '' : wrap(`Log: ${logWords[log.state]}. ${printable(log.detail)}`, columns, 2)

const noticeOf = ({ model }: Verdict) => {
  const at = Date.parse(String(model?.superseded_at))
  if (!model?.superseded_at) return ''
  return `Notice: this version was superseded${Number.isNaN(at) ? '' : ` on ${shownTime(at)}`}; a newer one exists.`
}

const elsewhere = (origin: string, registry = 'the registry in use') =>
  `Only ${registry} was checked. If you trust ${origin}, name it with --api-url.`

/** What the link says, and who vouches for it. Unvouched claims never appear as plain facts. */
const saidBy = (verdict: Verdict, paint: Paint) => {
  // If nothing was found, the live state says nothing.
  if (verdict.claims === null && verdict.provider === null) return ''
  const indent = verdict.result === 'verified' ? 0 : 2
  const known = factsOf(verdict, { ...paint, columns: paint.columns && paint.columns - indent })
  if (known === '' || indent === 0) return known
  return `${vouchedTitleOf(verdict)}\n${known.replace(/^/gm, '  ')}`
}

/** A genuine link may differ from what was expected, or have an unchecked provider; the registry still vouches for it. */
const vouchedTitleOf = (verdict: Verdict) => {
  const { reason } = verdict
  if (isAnswerAlone(verdict)) return 'What the registry vouches for, except the answer:'
  if (reason === 'claim_mismatch') return 'What the registry vouches for, which does not match what you expected:'
  if (reason === 'provider_unverified') return 'What the registry signed, without knowing who the provider is:'
  return 'What the registry signed or knows, but no longer vouches for:'
}

const domainName = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/

const factsOf = (verdict: Verdict, paint: Paint) => {
  const { claims, provider } = verdict
  const said = (name: string) => (claims?.[name] === undefined ? null : String(claims[name]))
  const proven = provenDomain(verdict)
  const identity =
    proven ?? (provider === null ? null : `not verified${provider.domain === null ? '' : ` (says ${provider.domain})`}`)
  const name = provider?.name
  const similar = provider?.similar_name_domain
  const seconds = claims?.exp
  const binding = said('deployment_binding')
  const digest = said('model_digest')
  const deployment = said('deployment_id')
  return facts(
    [
      ['provider', identity],
      ['company', typeof name === 'string' ? quote(name) : null],
      ['note', typeof similar === 'string' && domainName.test(similar) ? linkWords.about.similarName(similar) : null],
      ['model', said('model_identifier') && quote(`${said('model_identifier')} ${said('version') ?? ''}`.trim())],
      ['digest', digest && `${/^sha256:[0-9a-f]+$/.test(digest) ? digest : quote(digest)} (stated by the provider)`],
      [
        'deployment',
        deployment &&
          `${isId('dep', deployment) ? deployment : quote(deployment)} (${lookUp(bindingWords, binding ?? '') ?? 'not proven'})`,
      ],
      ['challenge', said('challenge') && quote(said('challenge') ?? '')],
      ['origin', said('origin')],
      [
        verdict.result === 'verified' ? 'valid until' : 'expires',
        typeof seconds === 'number' && Number.isFinite(seconds) ? shownTime(seconds * 1_000) : null,
      ],
      [
        'live state',
        verdict.live_state === 'checked'
          ? 'checked just now'
          : verdict.offline && claims
            ? 'not checked; as of when it was minted'
            : null,
      ],
    ],
    paint,
  )
}
