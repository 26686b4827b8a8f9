import { createHash, createPublicKey, type KeyObject } from 'node:crypto'
import type { DeclaredSigner } from '../contract/bundles.ts'
import { logOf } from './log-entry.ts'
import type { MethodInput } from './method.ts'
import { Rejection, reject } from './rejection.ts'
import { isCurve, signatureContent } from './signature.ts'
import { signersOf } from './signer-policy.ts'
import { checkSigner } from './sigstore-method.ts'
import { checkEntryKeys, checkLogged, shownTime } from './transparency.ts'
import { materialOf } from './trusted-root.ts'

/** A bundle signed with a key contains at most a hint of it; the provider declares the key itself. */
export const checkKey = (input: MethodInput): void => {
  const { signers, ties, findings } = input
  const keys = readKeys(signers)
  findings.skip('certificate', 'The bundle has no certificate')
  if (keys.length === 0) {
    findings.skip('signature', 'Only the declared key can check it')
    checkSigner({ signers, ties, findings }, false)
    return
  }
  const candidates = keys.filter((key) => isHinted(input, key))
  const { key, unsupported } = tryKeys(input, candidates)
  if (!key) {
    if (unsupported) throw unsupported
    if (candidates.some((candidate) => hints(candidate).includes(hintOf(input.read)))) {
      reject('signature', 'signature_invalid', 'The signature was not made with the declared key that the bundle names')
    }
    findings.skip('signature', 'It was not made with a declared key')
    checkSigner({ signers, ties, findings }, false)
    return
  }
  findings.facts.signer = {
    identity: null,
    issuer: null,
    repository: null,
    workflow: null,
    key_fingerprint: fingerprintOf(key),
  }
  findings.pass('signature', 'Made with the declared key')
  checkLog(input, key)
  checkSigner({ signers, ties, findings }, true)
}

/** A key of an unsupported kind does not prevent checking the others. */
const tryKeys = (
  { read, content }: MethodInput,
  candidates: readonly KeyObject[],
): { key?: KeyObject; unsupported?: Rejection } => {
  const { verifySignature } = signatureContent(read, content.kind === 'model' ? content.predicateType : undefined)
  let unsupported: Rejection | undefined
  const key = candidates.find((candidate) => {
    try {
      return verifySignature(candidate)
    } catch (error) {
      if (!(error instanceof Rejection)) throw error
      unsupported = error
      return false
    }
  })
  return { key, unsupported }
}

/** A signature by a key needs no log, but a log entry in the bundle must be valid. */
const checkLog = ({ read, trustedRoot, now, findings }: MethodInput, publicKey: KeyObject): void => {
  const { tlogEntries, timestampVerificationData } = read.bundle.verificationMaterial
  if (tlogEntries.length === 0 && !timestampVerificationData?.rfc3161Timestamps.length) {
    findings.skip('transparency_log', 'Signed with a key, and not logged')
    findings.skip('time', 'Nothing proves when it was signed')
    return
  }
  const { facts } = findings
  facts.trusted_root_date = trustedRoot.date
  const material = { ...materialOf(trustedRoot), publicKey: () => ({ publicKey, validFor: () => true }) }
  const { times } = checkLogged(read, material, { logs: 0, certificateLogs: 0, times: 0 }, now)
  checkEntryKeys(read, { publicKey })
  const [entry] = tlogEntries
  const [time] = times
  facts.log = entry ? logOf(entry) : null
  facts.signed_at = time ? time.toISOString() : null
  if (facts.log) findings.pass('transparency_log', `Entry ${facts.log.index} of ${facts.log.origin ?? 'the log'}`)
  else findings.skip('transparency_log', 'Signed with a key, and not logged')
  if (time) findings.pass('time', `Signed at ${shownTime(time)}`)
  else findings.skip('time', 'Nothing proves when it was signed')
}

const readKeys = (signers: readonly DeclaredSigner[]): KeyObject[] =>
  signersOf('key', signers).flatMap(({ public_key }) => {
    try {
      return [createPublicKey(public_key)]
    } catch {
      return []
    }
  })

const spkiOf = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' })
const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes)

/** A curve point has two encodings; as JWK it has both coordinates. */
const uncompressed = (key: KeyObject): KeyObject =>
  key.asymmetricKeyType === 'ec' && isCurve(key)
    ? createPublicKey({ key: key.export({ format: 'jwk' }), format: 'jwk' })
    : key

/** SHA-256 of the SPKI, hex: equal for every encoding of one key. */
export const fingerprintOf = (key: KeyObject): string => sha256(spkiOf(uncompressed(key))).digest('hex')

/** OMS v1.0: SHA-256 of the PEM text of the key. */
export const modelHint = (key: KeyObject): string => sha256(key.export({ type: 'spki', format: 'pem' })).digest('hex')

/** Names that tools give to a key. */
const hints = (key: KeyObject): string[] => [modelHint(key), sha256(spkiOf(key)).digest('base64')]

const hintOf = ({ bundle }: MethodInput['read']): string => {
  const { content } = bundle.verificationMaterial
  return content.$case === 'publicKey' ? content.publicKey.hint : ''
}

/** A hint is private between signer and verifier, except in OMS v1.0, where it must match. */
const isHinted = ({ read, content }: MethodInput, key: KeyObject): boolean => {
  const hint = hintOf(read)
  return content.kind !== 'model' || hint === '' || hint === modelHint(key)
}
