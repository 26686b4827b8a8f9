import { lookUp } from '../look-up.ts'
import { type Flags, nameOf } from './command.ts'

/** Fields whose option has another name. */
const others: Readonly<Record<string, string>> = {
  ai_specific_certifications: '--ai-certification',
  api_model_identifier: '--identifier',
  capabilities: '--capability',
  compliance_certifications: '--certification',
  health_check_enabled: '--health-check',
  input_types: '--input-type',
  is_public: '--private',
  labels: '--label',
  model_digest: '--digest',
  model_family_id: '--family-id',
  model_id: '--model',
  model_type: '--type',
  output_types: '--output-type',
  reporter_email: '--email',
  response: '--message',
  response_text: '--file',
  scopes: '--scope',
  serving_regions: '--serving-region',
  sigstore_bundle_url: '--bundle-url',
  specialties: '--specialty',
  spki_fingerprint: '--spki',
  user_fingerprint: '--user',
  verification_code: '--code',
  verification_token: '--link',
}

/** Parts of a signer. */
const signerOptions: Readonly<Record<string, string>> = {
  identity: '--certificate-identity',
  issuer: '--certificate-oidc-issuer',
  public_key: '--key',
}

/** The name of a field in a message: the option that gave its value, or the contract's name if no option did. */
export const nameField = (path: readonly (string | number)[], isGiven: (option: string) => boolean): string => {
  const [field = 'input', ...rest] = path.map(String)
  // Values from the hub are named by the option that chose the model there.
  if (field === 'huggingface_model_id' && isGiven('--hf')) return '--hf'
  if (field === 'file') return 'the file'
  // Commands that declare something about a model take its identifier as --model.
  if (field === 'api_model_identifier' && isGiven('--model')) return '--model'
  if (field === 'signer' && rest[0] !== undefined) return nameSigner(rest[0], isGiven)
  const isBenchmark = field === 'performance_benchmarks' && rest.length > 0
  const option = isBenchmark ? optionNamed(`benchmark_${rest[0]}`) : (lookUp(others, field) ?? optionNamed(field))
  if (!isGiven(option)) return [field, ...rest].join('.')
  return isBenchmark ? option : [option, ...rest].join(' ')
}

/** The same for a part of a signer. */
export const nameSigner = (field: string, isGiven: (option: string) => boolean = () => true): string => {
  const option = lookUp(signerOptions, field) ?? optionNamed(field)
  return isGiven(option) ? option : `signer.${field}`
}

const optionNamed = (field: string) => `--${field.replaceAll('_', '-')}`

/** Whether an option was given on the command line. */
export const isGivenIn =
  (given: Flags['all']) =>
  (option: string): boolean =>
    given[nameOf(option)] !== undefined
