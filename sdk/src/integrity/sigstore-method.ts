import { isForCode } from './certificate.ts'
import { readLeaf } from './certificate-chain.ts'
import { identityOf } from './certificate-identity.ts'
import { logOf } from './log-entry.ts'
import type { MethodInput } from './method.ts'
import { reject } from './rejection.ts'
import { isDeclared, isTied } from './signer-policy.ts'
import { checkEntryKeys, checkLogged, shownTime } from './transparency.ts'
import { materialOf } from './trusted-root.ts'

/** Checks a ten-minute certificate, its log entry, and a time from a third party. */
export const checkSigstore = ({ read, trustedRoot, signers, ties, now, findings }: MethodInput): void => {
  const { facts } = findings
  facts.trusted_root_date = trustedRoot.date
  const material = materialOf(trustedRoot)
  const leaf = readLeaf(leafOf(read))
  if (!isForCode(leaf))
    reject('certificate', 'certificate_not_for_signing', 'The certificate’s key usage is not code signing')
  const signer = identityOf(leaf)
  const { times } = checkLogged(read, material, { logs: 1, certificateLogs: 1, times: 1 }, now)
  checkEntryKeys(read, { certificate: leaf.raw, publicKey: leaf.x509.publicKey })

  const [entry] = read.bundle.verificationMaterial.tlogEntries
  const [time] = times
  facts.signer = signer
  facts.log = entry ? logOf(entry) : null
  facts.signed_at = time ? time.toISOString() : null
  findings.pass('signature', 'Made with the key of the certificate')
  findings.pass(
    'certificate',
    'Issued by an authority of the trusted root, logged, and valid at the time of the signature',
  )
  findings.pass(
    'transparency_log',
    facts.log ? `Entry ${facts.log.index} of ${facts.log.origin ?? 'the log'}` : 'Recorded',
  )
  findings.pass('time', time ? `Signed at ${shownTime(time)}` : 'Proven')
  checkSigner(
    { signers, ties, findings },
    signers.some((declared) => isDeclared(signer, declared)),
  )
}

/** Given a valid signature, checks that its signer is declared and the provider's own. */
export const checkSigner = (
  { signers, ties, findings }: Pick<MethodInput, 'signers' | 'ties' | 'findings'>,
  isOneOfThem: boolean,
): void => {
  const { signer } = findings.facts
  const isThirdParty = isOneOfThem && ties !== undefined && (signer === null || !isTied(signer, ties))
  if (isThirdParty) findings.leaveOpen('signer', 'signer_not_tied', 'Declared, but not proven to be the provider’s own')
  else if (isOneOfThem) findings.pass('signer', 'A declared signer')
  else if (signers.length === 0) findings.leaveOpen('signer', 'signer_not_declared', 'No signer is declared')
  else findings.fail({ check: 'signer', reason: 'signer_mismatch', message: 'The signer is not declared' })
}

export const leafOf = ({ bundle }: MethodInput['read']): Buffer => {
  const { content } = bundle.verificationMaterial
  if (content.$case === 'certificate') return content.certificate.rawBytes
  const [first] = content.$case === 'x509CertificateChain' ? content.x509CertificateChain.certificates : []
  return first?.rawBytes ?? reject('certificate', 'certificate_unreadable', 'There is no certificate')
}
