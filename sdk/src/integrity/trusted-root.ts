import { TrustedRoot } from '@sigstore/protobuf-specs'
import seeds from '@sigstore/tuf/seeds.json' with { type: 'json' }
import { type TrustMaterial, toTrustMaterial } from '@sigstore/verify'
import { bundleBounds } from './read-bundle.ts'
import { Rejection, reject } from './rejection.ts'

/** The trusted authorities, logs and timestamp services: read once, used for every check. */
export type TrustedRootSource =
  | { state: 'ready'; date: string; material: TrustMaterial }
  | { state: 'invalid'; detail: string; date: null; material: null }

/**
 * Reads a `trusted_root.json` of Sigstore; without one, the public instance's as it came with `@sigstore/tuf`. `date` is
 * the day on which the newest of its authorities began. Never throws: an unusable root contains the reason, and
 * `verifyBundle` returns `trusted_root_invalid` for it.
 *
 * @returns The root, for `verifyBundle`.
 * @example
 * ```ts
 * const trustedRoot = readTrustedRoot()
 * ```
 */
export const readTrustedRoot = (json?: Uint8Array | string | undefined): TrustedRootSource => {
  try {
    const root = TrustedRoot.fromJSON(JSON.parse(json === undefined ? builtIn() : textOf(json)))
    return { state: 'ready', date: dateOf(startsOf(root)), material: remembering(toTrustMaterial(root)) }
  } catch (error) {
    return {
      state: 'invalid',
      detail: error instanceof Rejection ? error.message : 'Not a trusted root of Sigstore',
      date: null,
      material: null,
    }
  }
}

/** Checks the authorities' own chains once, not for every bundle. */
const remembering = (material: TrustMaterial): TrustMaterial => {
  for (const { certChain } of [...material.certificateAuthorities, ...material.timestampAuthorities]) {
    for (const certificate of certChain) {
      const verify = certificate.verify.bind(certificate)
      const known = new WeakMap<object, boolean>()
      certificate.verify = (issuer = certificate) => {
        const answer = known.get(issuer) ?? verify(issuer)
        known.set(issuer, answer)
        return answer
      }
    }
  }
  return material
}

const builtIn = () => {
  const { targets } = seeds['https://tuf-repo-cdn.sigstore.dev']
  return Buffer.from(targets['trusted_root.json'], 'base64').toString('utf8')
}

const unusable = (detail: string) => reject('certificate', 'trusted_root_invalid', detail)

const textOf = (json: Uint8Array | string) => {
  if (json.length > bundleBounds.maxBytes) unusable(`Larger than ${bundleBounds.maxBytes.toLocaleString('en')} bytes`)
  return typeof json === 'string' ? json : Buffer.from(json).toString('utf8')
}

/** Without a start, @sigstore/verify would trust an authority for all earlier times. */
const startsOf = ({ tlogs, ctlogs, certificateAuthorities, timestampAuthorities }: TrustedRoot): Date[] => {
  const periods = [
    ...[...tlogs, ...ctlogs].map(({ baseUrl, publicKey }) => ({ name: baseUrl, start: publicKey?.validFor?.start })),
    ...[...certificateAuthorities, ...timestampAuthorities].map(({ uri, validFor }) => ({
      name: uri,
      start: validFor?.start,
    })),
  ]
  if (periods.length === 0) unusable('It names no authority')
  return periods.map(({ name, start }) => start ?? unusable(`${name || 'An authority'} has no validFor.start`))
}

const dateOf = (starts: readonly Date[]) => new Date(Math.max(...starts.map(Number))).toISOString().slice(0, 10)

export const materialOf = (root: TrustedRootSource): TrustMaterial =>
  root.state === 'ready' ? root.material : reject('certificate', 'trusted_root_invalid', root.detail)
