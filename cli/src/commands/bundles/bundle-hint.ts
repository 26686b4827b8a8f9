import type { BundleReason, BundleVerdict } from '@countersign/sdk/contract'
import type { Context } from '../../context.ts'

type HintFacts = Pick<BundleVerdict, 'reason' | 'method'>

/** The command that resolves a registry verdict. Text from strangers never goes into a command to copy. */
export const sayRegistryHint = (context: Context, verdict: HintFacts) => say(context, registryHint(verdict))

/** The same for a check that didn't ask the registry. */
export const sayLocalHint = (context: Context, verdict: HintFacts) => say(context, localHint(verdict))

const say = ({ out }: Context, hint: string | undefined) => {
  if (hint !== undefined) out.say(`hint: ${hint}`)
}

const signerOptions = {
  sigstore:
    '--certificate-identity IDENTITY --certificate-oidc-issuer ISSUER, or --repository URL for all its workflows',
  key: '--key FILE',
  certificate: '--certificate-chain FILE',
} as const

const registryHint = ({ reason, method }: HintFacts): string | undefined => {
  switch (reason) {
    case 'signer_not_declared':
    case 'signer_mismatch':
      return `If the signer is yours: countersign signers add ${method === null ? '' : signerOptions[method]}`
    case 'digest_mismatch':
      return 'Compare your files with the registered ones: countersign models check PATH --model MODEL'
    case 'digest_missing':
      return 'Register the next version: countersign models register PATH --new-version'
    default:
      return undefined
  }
}

const ofTrustedRoot = new Set<BundleReason>([
  'trusted_root_invalid',
  'trusted_root_expired',
  'certificate_untrusted',
  'certificate_not_logged',
  'log_unknown',
  'time_invalid',
])

const localHint = ({ reason, method }: HintFacts): string | undefined => {
  if (reason === 'signer_mismatch')
    return 'Only the signer named with --key, --certificate-identity, --repository or --certificate-chain is accepted here'
  if (reason !== null && ofTrustedRoot.has(reason) && method !== 'certificate')
    return 'To use another trusted root: --trusted-root FILE. The public one is at https://github.com/sigstore/root-signing'
  return undefined
}
