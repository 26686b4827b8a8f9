import { type BundleReason, type BundleVerdict, describeSigner, statementTypePrefix } from '../contract/bundles.ts'
import { quoteExactly } from '../words/quotation.ts'

type Facts = Pick<BundleVerdict, 'method' | 'signer' | 'signed_digest' | 'predicate_type' | 'trusted_root_date'>

/** The signature of an unknown key names no signer. */
const signedBy = ({ signer }: Facts): string =>
  signer ? `by ${describeSigner(signer, quoteExactly)}` : 'with a key that is not declared'

/** The signer chose it. */
const ofType = ({ predicate_type }: Facts): string =>
  statementTypePrefix + (predicate_type === null ? 'unknown' : quoteExactly(predicate_type))

const signerOrKey = ({ signer }: Facts): string => (signer ? 'that signer' : 'that key')

const signAgain = 'Sign the model again, and give the new bundle.'
const askForWhole = 'Fetch or upload it again; if that does not help, sign the model again.'
const newRoot = (facts: Facts) =>
  `It was checked with the trusted root of ${facts.trusted_root_date ?? 'an unknown date'}. If the log or authority is newer, give a newer trusted root`

/** What happened and what to do. */
const messages: Record<BundleReason, (facts: Facts) => string> = {
  signer_not_declared: (facts) =>
    facts.signer
      ? `The signature is valid, but no signer is declared for this model. It was signed ${signedBy(facts)}: declare that signer if it is yours.`
      : 'No signer is declared, so the signature could not be checked. If it was made with your key, declare that key.',
  digest_missing: () =>
    'The signature is valid, but this version has no digest to compare with. Register the version with the digest of its files.',
  names_not_signed: (facts) =>
    `The signature is valid, but it covers only one digest for the whole folder, without the names of its files. It was signed ${signedBy(facts)}. Sign the folder with OpenSSF Model Signing: countersign bundles sign.`,
  attestation_only: (facts) =>
    `An attestation ${ofType(facts)}, signed ${signedBy(facts)}. It describes a digest but does not sign the model. To verify the model, sign it with OpenSSF Model Signing.`,
  signer_not_tied: (facts) =>
    `Signed by a third party: ${facts.signer ? describeSigner(facts.signer, quoteExactly) : 'an unknown key'}. The signature is valid for this digest, but the provider has not proven that this signer is its own.`,

  bundle_too_large: () =>
    'The bundle is too large. A bundle contains signatures, never the model: check which file you used.',
  bundle_unreadable: () => `The bundle cannot be read. ${askForWhole}`,
  bundle_unsupported: () =>
    'The bundle is of a kind that is not supported. Sign with a current Sigstore or OpenSSF Model Signing tool.',
  statement_invalid: () => `What was signed is not a valid statement about a model. ${signAgain}`,
  signature_invalid: () => `The signature does not match the signed content. Do not trust this bundle. ${signAgain}`,
  certificate_unreadable: () => `The signer's certificate cannot be read. ${signAgain}`,
  certificate_untrusted: (facts) =>
    facts.method === 'certificate'
      ? 'The certificate does not lead to a declared authority. Declare its authority, or sign with a certificate of the declared one.'
      : `The certificate's authority is not trusted here. ${newRoot(facts)}; otherwise sign with a trusted authority.`,
  certificate_expired: (facts) =>
    facts.method === 'certificate'
      ? 'A certificate is not valid today, and nothing proves that it was when the model was signed. Sign again with a valid certificate.'
      : 'The certificate was not valid when the model was signed. Sign again; Sigstore certificates are valid for ten minutes.',
  certificate_not_logged: (facts) =>
    `It is not proven that the certificate was logged in public. ${newRoot(facts)}; otherwise sign again.`,
  certificate_not_for_signing: () =>
    'The certificate may not be used to sign. Sign with one whose key usage is digitalSignature or code signing.',
  log_entry_missing: () =>
    'No transparency log recorded this signature. Sign again with a tool that records signatures in the log.',
  log_entry_mismatch: () =>
    `The log entry in the bundle belongs to another signature. Do not trust this bundle. ${signAgain}`,
  log_proof_invalid: () =>
    `The log does not prove that it recorded this signature. Do not trust this bundle. ${signAgain}`,
  log_unknown: (facts) =>
    `The signature was recorded in a log that is not trusted here. ${newRoot(facts)}; otherwise sign with the public log.`,
  time_missing: () =>
    'Nothing proves when the model was signed. Sign again with a timestamp: logs of Rekor v2 do not give one.',
  time_invalid: (facts) =>
    `A timestamp in the bundle does not prove the time. ${newRoot(facts)}; otherwise sign again.`,
  time_in_future: () =>
    'The signature claims a time in the future. Check the clock of this machine; if it is right, sign the model again.',
  digest_mismatch: (facts) =>
    `The bundle is for another model: what was signed is ${facts.signed_digest ?? 'something else'}. Give the bundle of this version, or register the version that was signed.`,
  files_mismatch: () =>
    'Other files were signed: the names or contents in the bundle are not those that were registered. Give the bundle of this version, or register the version that was signed.',
  attestation_failed: (facts) =>
    `The signed attestation ${ofType(facts)} does not say that the check passed. Do not rely on it.`,
  signer_mismatch: (facts) =>
    `Signed ${signedBy(facts)}${facts.signer ? ', who is not declared for this model' : ''}. Declare ${signerOrKey(facts)} if it is yours; if it is not, do not trust this bundle.`,

  bundle_not_fetched: () => 'The bundle could not be fetched. Check its address, or upload the bundle.',
  key_unsupported: () =>
    'The key is of a kind that cannot be checked here. Sign with ECDSA (P-256, P-384 or P-521) or RSA (2,048, 3,072 or 4,096 bits).',
  trusted_root_invalid: () =>
    'The trusted root cannot be used, so nothing was decided about the bundle. Replace it (in a registry, the operator does this) and check again.',
  trusted_root_expired: (facts) =>
    `The trusted root of ${facts.trusted_root_date ?? 'an unknown date'} does not cover the time of the signature, so nothing was decided. Replace it with the current one (in a registry, the operator does this) and check again; if it is current, sign the model again.`,
  check_failed: () => 'The check could not be made. Try again later.',
}

/** Their detail only repeats the message. */
const saidWhole: ReadonlySet<BundleReason> = new Set([
  'signer_mismatch',
  'signer_not_declared',
  'signer_not_tied',
  'attestation_only',
  'names_not_signed',
])

export const messageFor = (reason: BundleReason | null, detail: string, facts: Facts): string => {
  if (reason === null) return `Signed ${signedBy(facts)}. What was signed is the expected digest.`
  const isSaid = detail === '' || saidWhole.has(reason)
  return isSaid ? messages[reason](facts) : `${messages[reason](facts)} (${detail}.)`
}
