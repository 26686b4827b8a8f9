import { invisibleCharacters } from '../contract/text.ts'
import { rootDigest } from './file-list.ts'
import { inJson } from './in-json.ts'
import { type ModelStatement, modelSigningType, parseModelStatement } from './model-signing.ts'
import { asModelStatement, oldModelType } from './old-statement.ts'
import type { ReadBundle } from './read-bundle.ts'
import { isDeeper } from './read-bundle.ts'
import { orReject, reject } from './rejection.ts'
import { digestSizes, messageAlgorithms } from './signature.ts'

export const inTotoType = 'application/vnd.in-toto+json'
const statementType = 'https://in-toto.io/Statement/v1'
/** OpenSSF Model Signing knows only v1; older tools write this one. */
const oldStatementType = 'https://in-toto.io/Statement/v0.1'
const maxDepth = 64

/** The signed content: a digest alone, an in-toto statement about some, or a whole model. */
export type SignedContent =
  | { kind: 'message'; digests: string[] }
  | { kind: 'statement'; digests: string[]; predicateType: string; failure: string | null }
  | { kind: 'model'; digests: string[]; predicateType: string; model: ModelStatement }

/** Reads the signed content; @sigstore/verify checks only the signature. */
export const readContent = ({ bundle: { content } }: ReadBundle): SignedContent => {
  if (content.$case === 'dsseEnvelope') return readStatement(content.dsseEnvelope)
  const { algorithm, digest } = content.messageSignature.messageDigest
  const name = messageAlgorithms[algorithm]
  if (!name || digest.length !== digestSizes[name])
    return reject('bundle', 'bundle_unsupported', 'The message digest is not SHA-2')
  return { kind: 'message', digests: [`${name}:${digest.toString('hex')}`] }
}

const invalid = (detail: string, cause?: unknown): never => reject('bundle', 'statement_invalid', detail, cause)

const readStatement = ({ payload, payloadType }: { payload: Buffer; payloadType: string }): SignedContent => {
  if (payloadType !== inTotoType)
    reject('bundle', 'bundle_unsupported', `Signed content of type ${inJson(payloadType)}`)
  const json: unknown = orReject('bundle', 'statement_invalid', 'The signed statement is not JSON', () =>
    JSON.parse(utf8.decode(payload)),
  )
  if (!isObject(json) || isDeeper(json, maxDepth)) return invalid('The signed statement is not an object')
  const { _type, predicateType, predicate, subject } = json
  if (_type !== statementType && (_type !== oldStatementType || predicateType === modelSigningType))
    return invalid('The signed statement is not an in-toto statement')
  if (predicateType === modelSigningType) return readModel(json, predicateType)
  if (predicateType === oldModelType) return readModel(asModelStatement(json, rootOf), predicateType)
  if (typeof predicateType !== 'string' || predicateType === '')
    return invalid('The signed statement has no predicate type')
  return {
    kind: 'statement',
    digests: digestsOf(subject),
    predicateType: tellableType(predicateType),
    failure: failureOf(predicateType, predicate),
  }
}

/** Shown to people, so it may not contain misleading characters. */
const tellableType = (type: string): string =>
  type.length <= 500 && type.replace(invisibleCharacters, '') === type
    ? type
    : invalid('The predicate type cannot be shown')

const summaryType = /^https?:\/\/slsa\.dev\/+verification_summary\b/i
const failures = /^(FAIL|FAILED|DENIED)$/

/** The negative result of an attestation, or null. A verification summary passes only if it says PASSED. */
const failureOf = (type: string, predicate: unknown): string | null => {
  const { verificationResult, verification_result, result } = isObject(predicate) ? predicate : {}
  const said = verificationResult ?? verification_result ?? result
  const texts = [said].flat().map((each) => (typeof each === 'string' ? each.trim().toUpperCase() : ''))
  const failure = texts.find((text) => failures.test(text))
  if (failure !== undefined) return failure
  return !summaryType.test(type) || said === 'PASSED' ? null : 'no known result'
}

const utf8 = new TextDecoder('utf-8', { fatal: true })
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const rootOf = (digests: readonly string[]) => rootDigest(digests.map((digest) => ({ digest }))).slice('sha256:'.length)

/** A version is a folder by its root digest, or a single file by its own. */
const readModel = (json: Record<string, unknown>, predicateType: string): SignedContent => {
  const model = parseModelStatement(json)
  if (typeof model === 'string') return invalid(model)
  const [only, ...others] = model.resources
  const isOneFile = only !== undefined && others.length === 0 && model.method === 'files' && only.algorithm === 'sha256'
  return {
    kind: 'model',
    model,
    predicateType,
    digests: [model.root_digest, ...(isOneFile ? [`sha256:${only.digest}`] : [])],
  }
}

const isDigest = (name: string, value: unknown): value is string =>
  Object.hasOwn(digestSizes, name) &&
  typeof value === 'string' &&
  value.length === 2 * digestSizes[name as keyof typeof digestSizes] &&
  /^[0-9a-f]+$/.test(value)

const digestsOf = (subject: unknown): string[] => {
  const digests = (Array.isArray(subject) ? subject : [])
    .map((entry: unknown) => (isObject(entry) && isObject(entry.digest) ? entry.digest : {}))
    .flatMap((digest) => Object.entries(digest))
    .flatMap(([name, value]) => (isDigest(name, value) ? [`${name}:${value}`] : []))
  return digests.length > 0 ? digests : invalid('The signed statement names no digest')
}
