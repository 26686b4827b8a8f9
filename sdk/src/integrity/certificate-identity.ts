import type { BundleSigner } from '../contract/bundles.ts'
import { type Certificate, namesOf, tellable, utf8Text } from './certificate.ts'
import { readOneDer } from './der.ts'
import { orReject, reject } from './rejection.ts'

/** Extensions of Fulcio's certificates; from .8 on they contain DER, before that raw text. */
const oids = {
  issuerRaw: '1.3.6.1.4.1.57264.1.1',
  issuer: '1.3.6.1.4.1.57264.1.8',
  repository: '1.3.6.1.4.1.57264.1.12',
  repositoryId: '1.3.6.1.4.1.57264.1.15',
  workflow: '1.3.6.1.4.1.57264.1.18',
} as const

/** The identity in a Sigstore certificate: exactly one name, and the issuer that vouched for it. */
export const identityOf = (certificate: Certificate): BundleSigner =>
  orReject('certificate', 'certificate_unreadable', 'The certificate’s names cannot be read', () => {
    const [identity, ...others] = namesOf(certificate)
    if (!identity || others.length > 0)
      return reject('certificate', 'certificate_unreadable', 'The certificate does not name exactly one signer')
    const { extensions } = certificate
    const raw = extensions.get(oids.issuerRaw)
    const repository = derText(extensions.get(oids.repository))
    const repository_id = derText(extensions.get(oids.repositoryId))
    return {
      identity: tellable(identity),
      issuer: derText(extensions.get(oids.issuer)) ?? (raw ? tellable(utf8Text(raw)) : null),
      repository,
      ...(repository_id !== null && { repository_id }),
      workflow: workflowIn(repository, derText(extensions.get(oids.workflow))),
      key_fingerprint: null,
    }
  })

const utf8String = 0x0c

const derText = (value: Buffer | undefined): string | null => {
  if (!value) return null
  const { tag, content } = readOneDer(value)
  if (tag !== utf8String) throw new RangeError('Not text')
  return tellable(utf8Text(content))
}

/**
 * The path in `https://github.com/acme/models/.github/workflows/release.yml@refs/heads/main`, if it is in that
 * repository.
 */
const workflowIn = (repository: string | null, uri: string | null): string | null => {
  if (!repository || !uri?.startsWith(`${repository}/`)) return null
  const [path = '', ref, ...others] = uri.slice(repository.length + 1).split('@refs/')
  // File names may contain `@`: `release.yml@other.yml` is not `release.yml`. An ambiguous value gives no name.
  if (ref === undefined) return path.includes('@') ? null : path
  return others.length === 0 ? path : null
}
