import { ApiError, ConnectionError, TimeoutError } from '@countersign/sdk'
import { type ErrorCode, type ExitCode, errors, type FieldError } from '@countersign/sdk/contract'
import { isGivenIn, nameField, namingOptions } from '../args/option-names.ts'
import { isJson, type Reading } from '../args/read-argv.ts'
import { Failure, Interruption } from '../failure.ts'
import { fileErrors, isFileError } from '../io/files.ts'
import { wrap } from '../io/wrap.ts'
import { lookUp } from '../look-up.ts'
import type { World } from '../world.ts'
import { inProfile } from './next-command.ts'
import { jsonOf, printable, printableText } from './output.ts'

/** What stderr contains in JSON mode when a command fails. */
export interface Report {
  code: string
  message: string
  hint: string | null
  status: number | null
  request_id: string | null
  retryable: boolean
  exit_code: ExitCode
}

const hints: Partial<Record<ErrorCode, string>> = {
  presence_required: 'Do it in the console, in a browser, with your passkey or authenticator',
  too_many_changes: 'See: countersign changes list',
  unauthorized: 'Set COUNTERSIGN_API_KEY, or run: countersign auth login',
  model_exists: 'Add --new-version to register the next version, or --if-not-exists to accept the same content',
  version_exists: 'Choose another --version',
  already_registered: 'Register another provider under its own --profile NAME',
  bundle_missing: 'Upload one with: countersign bundles upload MODEL FILE',
  publisher_exists: 'See: countersign publishers list',
  publisher_mismatch: 'The provider’s owner can list what is trusted: countersign publishers list',
  deployment_exists: 'Add --if-not-exists to accept the same content',
  deployment_not_authorized: 'Run: countersign deployments authorize DEPLOYMENT --model MODEL',
  provider_deactivated: 'Run: countersign providers reactivate',
  provider_suspended:
    'Set a new password with “Forgot your password?” on the sign-in page of the registry, and confirm your account in the dashboard',
  provider_unregistered: 'Add what is missing with: countersign providers register',
  origin_not_yours: 'Use a page on a domain that you have proven, or publish the TXT record that the message names',
  deployment_proof_required: 'Mint with --cert, --key and --tls-url',
  quick_edit_closed:
    'If it is withdrawn, restore it with: countersign models unarchive MODEL. Otherwise register the next version: models register --new-version',
  model_archived: 'Restore it with: countersign models unarchive MODEL',
  rate_limited: 'Wait, then try again',
  quota_exceeded: 'See what is used with: countersign usage',
}

/** Any thrown value as one report, with the exit code from the contract's error table. */
export const reportOf = (error: unknown, given: Reading['given'] = {}): Report => {
  if (error instanceof Interruption)
    return report({ code: 'interrupted', message: error.message, exit_code: error.exit })
  if (error instanceof Failure) return ofFailure(error)
  if (error instanceof ApiError) return ofApi(error, given)
  if (error instanceof TimeoutError)
    return report({
      code: 'timeout',
      message: error.detail,
      hint: 'Try again, or allow more time with --timeout SECONDS',
      retryable: true,
      exit_code: 8,
    })
  if (error instanceof ConnectionError)
    return report({
      code: 'network',
      message: isUntrusted(error) ? error.detail.replace(/: .*/s, ': its certificate is not trusted') : error.detail,
      hint: isUntrusted(error)
        ? 'Check the address, --api-url or COUNTERSIGN_API_URL, and the file of its certificate authority: --ca (tokens mint) or COUNTERSIGN_CA_FILE'
        : 'Check the address: --api-url or COUNTERSIGN_API_URL',
      retryable: true,
      exit_code: 8,
    })
  if (isFileError(error))
    return report({
      code: 'file',
      message: error.path === undefined ? fileErrors[error.code] : `${fileErrors[error.code]}: ${error.path}`,
      exit_code: 2,
    })
  return report({
    code: 'internal',
    message: error instanceof Error ? error.message : String(error),
    hint: 'This is a bug in the command line; --verbose shows where',
    exit_code: 1,
  })
}

const report = ({
  code,
  message,
  exit_code,
  ...known
}: Partial<Report> & Pick<Report, 'code' | 'message' | 'exit_code'>): Report => ({
  code,
  message,
  hint: known.hint ?? null,
  status: known.status ?? null,
  request_id: known.request_id ?? null,
  retryable: known.retryable ?? false,
  exit_code,
})

const ofFailure = ({ code, message, hint, exit, cause }: Failure): Report => ({
  ...report({ code, message, hint, exit_code: exit }),
  ...(cause instanceof ApiError ? { status: cause.status, request_id: cause.requestId } : {}),
})

const ofApi = (error: ApiError, given: Reading['given']): Report => ({
  code: error.code,
  message:
    fieldErrors(error.problem?.errors, isGivenIn(given)) ??
    inMinutes(error.code === 'bundle_missing' ? namingOptions(error.detail) : error.detail),
  hint: lookUp(hints, error.code) ?? null,
  status: error.status,
  request_id: error.requestId ?? null,
  retryable: error.retryable,
  exit_code: exitOf(error.code, error.status),
})

/** Long waits in minutes: thousands of seconds mean nothing to people. */
const inMinutes = (detail: string) =>
  detail.replace(/\bin (\d{3,6}) seconds\b/, (_, seconds: string) => `in ${Math.ceil(Number(seconds) / 60)} minutes`)

/** A code that this version does not know falls back to its status. */
export const exitOf = (code: string, status: number): ExitCode => {
  const known = lookUp(errors, code)
  if (known !== undefined) return known.exit
  if (status === 401 || status === 403) return 4
  if (status === 404) return 5
  if (status === 409) return 6
  if (status === 429) return 7
  return status >= 500 ? 8 : 2
}

// Callers of a command don't know a field's place in the request.
const places = new Set<string | number>(['body', 'query', 'path', 'params'])

/** The invalid fields in words. Skips anything outside the contract: a report must not fail. */
export const fieldErrors = (
  fields: readonly FieldError[] | undefined,
  isGiven: (option: string) => boolean = () => false,
): string | undefined => {
  const given: readonly FieldError[] = Array.isArray(fields) ? fields : []
  const withPlace = given.filter((field) => Array.isArray(field?.loc))
  return withPlace.length === 0
    ? undefined
    : withPlace
        .map(
          ({ loc, msg }) =>
            `${nameField(
              loc.filter((part, index) => index > 0 || !places.has(part)),
              isGiven,
            )}: ${msg}`,
        )
        .join('; ')
}

// What OpenSSL reports for a chain that ends with an untrusted certificate.
const untrusted = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

const isUntrusted = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && untrusted.has(String(error.code))) || isUntrusted(error.cause))

/** Reports a failure on stderr, in JSON mode as exactly one object, and returns the exit code. */
export const reportFailure = (error: unknown, { given }: Pick<Reading, 'given'>, { env, stderr }: World): number => {
  const found = reportOf(error, given)
  const report = { ...found, hint: found.hint && inProfile(found.hint, given.profile) }
  if (isJson({ given }, env)) {
    stderr.write(`${jsonOf({ error: report })}\n`)
    return report.exit_code
  }
  // The person who interrupted it needs no message.
  if (report.code === 'interrupted') return report.exit_code
  const label = report.code === 'change_staged' ? 'staged' : 'error'
  const write = (text: string) => stderr.write(`${wrapAll(indented(text), stderr)}\n`)
  write(report.code === 'cancelled' ? report.message : `${label}: ${report.message}`)
  if (report.hint !== null) write(`hint: ${report.hint}`)
  if (report.request_id !== null) stderr.write(`request: ${printable(report.request_id)}\n`)
  if (given.verbose === true && error instanceof Error && report.code === 'internal')
    stderr.write(`${printableText(error.stack ?? error.message)}\n`)
  return report.exit_code
}

/** In a terminal, lines break between words. */
const wrapAll = (text: string, { isTerminal, columns }: World['stderr']) =>
  text
    .split('\n')
    .map((line) => wrap(line, isTerminal ? columns : undefined, 2))
    .join('\n')

// A stranger's line must not look like one of ours.
const indented = (text: string) => printableText(text).replaceAll('\n', '\n  ')
