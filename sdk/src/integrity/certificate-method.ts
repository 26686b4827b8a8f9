import { quoteExactly } from '../words/quotation.ts'
import {
  checkPeriod,
  checkPurpose,
  findPath,
  readLeaf,
  readPemCertificates,
  readSent,
  subjectOf,
} from './certificate-chain.ts'
import { fingerprintOf } from './key-method.ts'
import type { MethodInput } from './method.ts'
import { Rejection } from './rejection.ts'
import { signatureContent } from './signature.ts'
import { signersOf } from './signer-policy.ts'
import { checkSigner } from './sigstore-method.ts'

/** OMS by certificate: the chain in the bundle must lead to an anchor that the provider declared. */
export const checkCertificate = ({ read, content: signed, signers, ties, now, findings }: MethodInput): void => {
  const { content } = read.bundle.verificationMaterial
  const chain = content.$case === 'x509CertificateChain' ? content.x509CertificateChain.certificates : []
  const [first, ...others] = chain
  if (!first) throw new Rejection('certificate', 'certificate_unreadable', 'There is no certificate')
  const leaf = readLeaf(first.rawBytes)
  const sent = others.map(({ rawBytes }) => readSent(rawBytes))
  const { publicKey } = leaf.x509
  const unnamed = {
    identity: null,
    issuer: null,
    repository: null,
    workflow: null,
    key_fingerprint: fingerprintOf(publicKey),
  }

  const declared = signersOf('certificate', signers)
  const anchors = declared.flatMap(({ certificate_chain }) => readPemCertificates(certificate_chain))
  checkPurpose(leaf, anchors)
  if (!signatureContent(read, signed.kind === 'model' ? signed.predicateType : undefined).verifySignature(publicKey)) {
    throw new Rejection('signature', 'signature_invalid', 'The signature was not made with the key of the certificate')
  }
  findings.facts.signer = unnamed
  findings.pass('signature', 'Made with the key of the certificate')
  findings.skip('transparency_log', 'Signed with a certificate, without a log')
  findings.skip('time', 'Nothing proves when it was signed')

  if (declared.length === 0) {
    findings.skip('certificate', 'Only a declared authority can vouch for it')
    checkSigner({ signers, ties, findings }, false)
    return
  }
  const path = findPath(leaf, sent, anchors)
  if (!path)
    throw new Rejection('certificate', 'certificate_untrusted', 'The chain does not lead to a declared authority')
  checkPeriod(path, now)
  findings.facts.signer = { ...unnamed, identity: subjectOf(leaf) }
  findings.pass(
    'certificate',
    // Anyone can write any name into a certificate of their own.
    `Leads to a declared authority that calls itself ${quoteExactly(subjectOf(path.at(-1) ?? leaf))}. That name was not checked. Valid from ${leaf.x509.validFrom} to ${leaf.x509.validTo}`,
  )
  checkSigner({ signers, ties, findings }, true)
}
