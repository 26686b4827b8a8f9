import { modelFieldRows } from '@countersign/sdk/contract/model-fields'
import { providerFieldRows } from '@countersign/sdk/contract/provider-fields'
import { lookUp } from '../look-up.ts'
import { type Flags, nameOf } from './command.ts'

const optionsOf = (rows: readonly (readonly [name: string, row: { option?: string }])[]) =>
  Object.fromEntries(rows.flatMap(([name, { option }]) => (option ? [[name, option.replace(/ .*/, '')]] : [])))

/** Fields of the tables, and others whose option has another name. */
const options: Readonly<Record<string, string>> = {
  ...optionsOf(modelFieldRows),
  ...optionsOf(providerFieldRows),
  interval_seconds: '--interval',
  is_public: '--private',
  labels: '--label',
  model_digest: '--digest',
  model_id: '--model',
  reporter_email: '--email',
  response: '--message',
  response_text: '--file',
  scopes: '--scope',
  spki_fingerprint: '--spki',
  user_fingerprint: '--user',
  verification_code: '--code',
  verification_token: '--link',
}

/** A text of the registry with the options of the fields that it names. */
export const namingOptions = (text: string): string =>
  text.replace(/\b[a-z]+(?:_[a-z]+)+\b/g, (word) => lookUp(options, word) ?? word)

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
  const option = isBenchmark ? optionNamed(`benchmark_${rest[0]}`) : (lookUp(options, field) ?? optionNamed(field))
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
