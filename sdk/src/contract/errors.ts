/**
 * Every error of the API in one table: HTTP status, title and the command line's exit code. Problem documents, the SDK's error
 * classes, `countersign help exit-codes` and `docs/errors.md` are generated from it.
 */
interface ErrorEntry {
  /** HTTP status of the problem document. */
  status: number
  title: string
  /** Exit code of the command line. */
  exit: ExitCode
  /** Whether the same call may succeed later, unchanged. */
  retryable?: true
}

/** The exit codes of the command line. */
export const exitCodes = {
  0: 'done, or verified',
  1: 'internal error, or you declined',
  2: 'usage or invalid input',
  3: 'not verified',
  4: 'credentials missing, invalid or not allowed',
  5: 'not found',
  6: 'conflict: exists with different content',
  7: 'rate limited, after retries',
  8: 'network failure, timeout or a server error',
  9: 'could not verify: keys or trust data unavailable',
  10: 'staged: nothing changed yet, a person must approve it',
  130: 'interrupted',
  143: 'terminated',
} as const

/** An exit code of the command line. */
export type ExitCode = keyof typeof exitCodes

/** Every error: status, title, exit code of the command line and explanation. */
export const errors = {
  change_staged: { status: 202, title: 'Nothing changed yet: a person must approve it', exit: 10 },

  bad_request: { status: 400, title: 'The request could not be read', exit: 2 },
  body_too_large: { status: 413, title: 'The request body is too large', exit: 2 },
  unsupported_media_type: { status: 415, title: 'The request body must be JSON', exit: 2 },
  validation_failed: { status: 422, title: 'A field is not valid', exit: 2 },
  idempotency_mismatch: { status: 422, title: 'The idempotency key was used for another request', exit: 2 },
  method_not_allowed: { status: 405, title: 'The method is not allowed here', exit: 2 },

  code_invalid: { status: 400, title: 'The code or link is no longer valid', exit: 4 },
  passkey_rejected: { status: 400, title: 'The passkey was not accepted', exit: 4 },
  device_not_approved: { status: 400, title: 'The device is not approved', exit: 4 },
  upstream_refused: { status: 422, title: 'The other service gave an unusable answer', exit: 2 },
  files_digest_mismatch: { status: 422, title: 'The files do not match the digest', exit: 2 },
  origin_not_yours: { status: 422, title: 'The origin is not at a domain of the provider', exit: 2 },
  signer_proof_invalid: { status: 422, title: 'The signer was not proven', exit: 3 },
  bundle_missing: { status: 422, title: 'The version has no bundle to check', exit: 2 },

  unauthorized: { status: 401, title: 'Credentials are missing or not valid', exit: 4 },
  forbidden: { status: 403, title: 'The credentials do not allow this', exit: 4 },
  identity_token_invalid: { status: 400, title: 'The identity token cannot be accepted', exit: 4 },
  workload_mismatch: { status: 403, title: 'No trusted workload matches this identity token', exit: 4 },
  publisher_mismatch: { status: 403, title: 'No trusted publisher matches this identity token', exit: 4 },
  signature_invalid: { status: 403, title: 'The signature of the request is not valid', exit: 4 },
  deployment_not_authorized: { status: 403, title: 'The deployment is not authorized for this model', exit: 4 },
  provider_deactivated: { status: 403, title: 'The provider is deactivated', exit: 4 },
  provider_suspended: { status: 403, title: 'Confirm the account first', exit: 4 },
  provider_unregistered: { status: 403, title: 'Complete the registration first', exit: 4 },
  deployment_proof_required: { status: 403, title: 'The model requires a proven deployment', exit: 4 },

  presence_required: { status: 403, title: 'Confirm that it is you', exit: 4 },
  sign_in_again: { status: 403, title: 'Sign in again first', exit: 4 },
  sign_in_required: { status: 403, title: 'Sign in with the address that was invited', exit: 4 },
  confirmation_required: { status: 403, title: 'Confirm that the registration is yours', exit: 4 },
  email_not_verified: { status: 403, title: 'The email address is not verified', exit: 4 },

  not_found: { status: 404, title: 'Not found', exit: 5 },

  already_registered: { status: 409, title: 'The provider is already registered', exit: 6 },
  already_created: { status: 409, title: 'This was already created', exit: 6 },
  model_exists: { status: 409, title: 'The model already exists', exit: 6 },
  version_exists: { status: 409, title: 'The version already exists', exit: 6 },
  model_archived: { status: 409, title: 'The model is archived', exit: 6 },
  workload_exists: { status: 409, title: 'This workload is already trusted', exit: 6 },
  publisher_exists: { status: 409, title: 'This publisher is already trusted', exit: 6 },
  deployment_exists: { status: 409, title: 'The fingerprint is already registered', exit: 6 },
  already_authorized: { status: 409, title: 'The deployment is already authorized', exit: 6 },
  email_taken: { status: 409, title: 'Another provider has verified this address', exit: 6 },
  identity_taken: { status: 409, title: 'This identity belongs to another account', exit: 6 },
  quick_edit_closed: { status: 409, title: 'The version can no longer be edited', exit: 6 },
  not_archived: { status: 409, title: 'The version was not withdrawn', exit: 6 },
  incident_closed: { status: 409, title: 'The incident is closed', exit: 6 },
  already_reported: { status: 409, title: 'This was already reported with this link', exit: 6 },
  not_registered: { status: 409, title: 'Complete the registration first', exit: 6 },
  already_decided: { status: 409, title: 'This was already decided', exit: 6 },
  already_bound: { status: 409, title: 'An answer is already bound to this token', exit: 6 },
  too_many_changes: { status: 409, title: 'Too many changes wait for approval', exit: 6 },
  last_owner: { status: 409, title: 'A provider must have an owner', exit: 6 },
  factor_too_new: { status: 409, title: 'A new passkey or authenticator cannot remove others', exit: 6 },
  domain_taken: { status: 409, title: 'Another provider has proven this domain', exit: 6 },
  domain_is_primary: { status: 409, title: 'This is the primary domain', exit: 6 },
  claim_blocked: { status: 409, title: 'This claim is blocked', exit: 6 },
  domain_not_proven: { status: 409, title: 'The domain is not proven', exit: 6 },
  idempotency_unfinished: { status: 409, title: 'The earlier request’s outcome is unknown', exit: 6 },
  idempotency_in_flight: { status: 409, title: 'The same request is still in progress', exit: 8, retryable: true },

  changed_elsewhere: { status: 412, title: 'The record has changed', exit: 6 },

  link_malformed: { status: 400, title: 'This is not a verification link', exit: 3 },
  link_mistyped: { status: 400, title: 'The link is mistyped', exit: 3 },
  link_forged: { status: 400, title: 'The token was not issued by this registry', exit: 3 },
  link_unknown: { status: 400, title: 'No such link was issued here', exit: 3 },
  link_foreign: { status: 400, title: 'The link belongs to another registry', exit: 3 },
  link_expired: { status: 400, title: 'The link has expired', exit: 3 },
  link_revoked: { status: 400, title: 'The link is no longer valid', exit: 3 },
  link_suspended: { status: 400, title: 'The link is suspended', exit: 3 },
  link_archived: { status: 400, title: 'The model was withdrawn by its provider', exit: 3 },
  link_gone: { status: 404, title: 'The model or provider behind this link no longer exists', exit: 3 },
  could_not_check: { status: 503, title: 'The link could not be checked', exit: 9, retryable: true },

  rate_limited: { status: 429, title: 'Too many requests', exit: 7, retryable: true },
  quota_exceeded: { status: 429, title: 'The quota is used up', exit: 7, retryable: true },
  upstream_unavailable: { status: 502, title: 'The other service could not be reached', exit: 8, retryable: true },
  unavailable: { status: 503, title: 'The registry is not available right now', exit: 8, retryable: true },
  storage_full: { status: 507, title: 'The registry cannot store anything right now', exit: 8, retryable: true },
  internal: { status: 500, title: 'Something went wrong', exit: 1 },
} as const satisfies Record<string, ErrorEntry>

/** A stable code of an error. */
export type ErrorCode = keyof typeof errors

/** The error codes of links and tokens. */
export type LinkErrorCode = Extract<ErrorCode, `link_${string}` | 'could_not_check'>

/** The same words for missing objects and for objects the caller may not see, so that a caller cannot distinguish them. */
export const notFoundDetail = 'Not found, or not visible to you.'

/** RFC 9457 problem document; `errors` only for `validation_failed`. */
export interface Problem {
  /** Identifies the kind of error. */
  type: string
  /** The kind of error, in a few words. */
  title: string
  /** HTTP status. */
  status: number
  /** What happened, in a sentence for people. */
  detail: string
  /** Stable code of the error. */
  code: ErrorCode
  /** ID of the request (`req_…`). */
  request_id: string
  /** The errors, field by field. */
  errors?: FieldError[]
  [extension: string]: unknown
}

/** An error of one field. */
export interface FieldError {
  /** Where the value came from, and its path: `['body', 'website']`. */
  loc: (string | number)[]
  /** What is wrong, in a sentence for people. */
  msg: string
  /** RFC 6901 pointer as a fragment: `#/website`. */
  pointer: string
}

/** Thrown when a request is rejected. Status, title and exit code follow from the code. */
export class Refusal extends Error {
  /** Name of the class. */
  override readonly name = 'Refusal'
  /** Stable code of the error. */
  readonly code: ErrorCode
  /** Extra members of the problem document, such as `existing_model`. */
  readonly extensions: Readonly<Record<string, unknown>>
  /** When the same call may succeed. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: ErrorCode,
    detail: string = errors[code].title,
    extensions: Record<string, unknown> = {},
    options: ErrorOptions & { retryAfterSeconds?: number } = {},
  ) {
    super(detail, options)
    this.code = code
    this.extensions = extensions
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** Rejects any provider ID but the caller's own, in the same words whether or not that provider exists. */
export const checkOwnProvider = (caller: { provider_id: string }, id: string): void => {
  if (id === caller.provider_id) return
  throw new Refusal('forbidden', `Your credentials only work for the provider ${caller.provider_id}. Use that ID.`)
}

/** The one error for missing objects and for objects the caller may not see. */
export const notFound = () => new Refusal('not_found', notFoundDetail)

/** The error for one invalid field, in the same shape as errors of schemas. Nested fields are written `outer.inner`. */
export const invalidField = (field: string, msg: string) => {
  const path = field.split('.')
  const error: FieldError = { loc: ['body', ...path], msg, pointer: `#/${path.join('/')}` }
  return new Refusal('validation_failed', `${field}: ${msg}`, { errors: [error] })
}
