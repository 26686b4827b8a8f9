import { modelFieldRows } from '@countersign/sdk/contract/model-fields'
import { usage } from '../failure.ts'
import { lookUp } from '../look-up.ts'

export type Source = 'flag' | 'environment' | 'project_file' | 'profile' | 'default'
type Values = Readonly<Record<string, unknown>>

interface Setting {
  flag?: string
  /** Each variable with what it says. */
  variables?: Readonly<Record<string, string>>
  /** May be saved in a profile with `config set`. */
  isSavable?: true
  isSecret?: true
  fallback?: string
}

/** Every setting, and each place it may come from. A project file supplies fields only, so no row names it. */
export const settings = {
  api_url: {
    flag: 'apiUrl',
    variables: { COUNTERSIGN_API_URL: 'Address of the registry' },
    isSavable: true,
    fallback: 'http://127.0.0.1:4100',
  },
  api_key: {
    variables: {
      COUNTERSIGN_API_KEY: 'API key',
      COUNTERSIGN_API_KEY_FILE: 'File that holds the API key, where COUNTERSIGN_API_KEY does not give it',
    },
    isSecret: true,
  },
  profile: {
    flag: 'profile',
    variables: { COUNTERSIGN_PROFILE: 'Profile whose key and settings are used' },
    isSavable: true,
    fallback: 'default',
  },
  tls_url: { flag: 'tlsUrl', variables: { COUNTERSIGN_TLS_URL: 'Address of the registry for mutual TLS' }, isSavable: true },
  ca_file: { flag: 'ca', variables: { COUNTERSIGN_CA_FILE: 'PEM file of a certificate authority to trust' }, isSavable: true },
  timeout: { flag: 'timeout', isSavable: true, fallback: '10' },
  output: { variables: { COUNTERSIGN_OUTPUT: 'Form of the results: text, or json as with --json' }, fallback: 'text' },
} as const satisfies Record<string, Setting>

export type SettingKey = keyof typeof settings
export const settingKeys = Object.keys(settings) as SettingKey[]
export const isSettingKey = (key: string): key is SettingKey => Object.hasOwn(settings, key)

/** Variables that are no setting of their own. */
export const otherVariables = {
  COUNTERSIGN_CONFIG_DIR: 'Folder of the profiles, instead of ~/.config/countersign',
  COUNTERSIGN_NO_INPUT: 'Set to 1, no question is asked, as with --no-input',
  COUNTERSIGN_MODEL: 'Model that `countersign mcp` speaks for, where --model is not given',
  COUNTERSIGN_PROVIDER_ID: 'Whom a CI job publishes as, for auth login --oidc',
  COUNTERSIGN_ID_TOKEN: 'Identity token of the CI job, as GitLab gives it, for auth login --oidc',
  HF_TOKEN: 'Token for models of the hub that not everyone may read',
  HF_ENDPOINT: 'Address of the model hub, instead of https://huggingface.co',
  CI: 'Set by build servers: no question is asked, and no progress is shown',
  HTTPS_PROXY: 'Proxy through which https addresses are reached',
  HTTP_PROXY: 'Proxy through which http addresses are reached',
  NO_PROXY: 'Hosts that are reached without a proxy, separated by commas',
  NO_COLOR: 'Set to anything, no colors are used, as with --no-color',
  CLICOLOR_FORCE: 'Set to 1, colors are used even where no terminal is',
} as const

export interface Inputs {
  flags: Values
  env: Readonly<Record<string, string | undefined>>
  project: Values
  profile: Values
}

export interface Explanation {
  value: string | null
  source: Source | null
  shadowed: { source: Source; value: string }[]
}

/** A setting or a field, where its value comes from, and which other values that one hides. */
export const explain = (key: string, inputs: Inputs): Explanation => {
  const [first, ...shadowed] = isSettingKey(key)
    ? candidatesOf(settings[key], key, inputs)
    : present([['project_file', lookUp(inputs.project, key)]])
  return { value: first?.value ?? null, source: first?.source ?? null, shadowed }
}

const candidatesOf = (setting: Setting, key: string, { flags, env, profile }: Inputs) =>
  present([
    ['flag', setting.flag === undefined ? undefined : flags[setting.flag]],
    ...Object.keys(setting.variables ?? {}).map((name) => ['environment', env[name]] as const),
    ['profile', profile[key]],
    ['default', setting.fallback],
  ])

const present = (found: readonly (readonly [Source, unknown])[]) =>
  found.flatMap(([source, value]) =>
    value === undefined || value === null || value === ''
      ? []
      : [{ source, value: Array.isArray(value) ? value.join(',') : String(value) }],
  )

const isNever = (key: string) => isSettingKey(key) || /key|secret|token|password/i.test(key)

/** What a project file may set: the answers that stay the same from call to call. */
export const projectFields: readonly string[] = [
  'model_id',
  'origin',
  'company_name',
  'company_description',
  'email',
  'website',
  ...modelFieldRows.filter(([, { option }]) => option !== undefined).map(([name]) => name),
  'copy_authorizations',
]

export const isProjectField = (key: string) => projectFields.includes(key)

/** A project file's defaults for fields. What it must not set is left out and told by name. */
export const readProject = (text: string, path: string): { fields: Values; ignored: string[] } => {
  const parsed = parse(text, path)
  const ignored = Object.keys(parsed).filter(isNever)
  const strange = Object.keys(parsed).filter((key) => !isNever(key) && !isProjectField(key))
  if (strange.length > 0)
    throw usage(
      `${path} has unknown fields: ${strange.map((key) => JSON.stringify(key)).join(', ')}`,
      `Known are ${projectFields.join(', ')}`,
    )
  return { fields: Object.fromEntries(Object.entries(parsed).filter(([key]) => !isNever(key))), ignored }
}

const parse = (text: string, path: string): Values => {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return Object.fromEntries(Object.entries(value))
  } catch {}
  throw usage(`${path} is not a JSON object`)
}

/** Refuses a value that the setting could not use, before it is saved or used. */
export const checkSetting = (key: SettingKey, value: string) => {
  if ((key === 'api_url' || key === 'tls_url') && !isWebAddress(value, key === 'tls_url'))
    throw usage(
      `${key} must be an ${key === 'tls_url' ? 'https' : 'http or https'} address without user, query or fragment, not ${JSON.stringify(value)}`,
      'Such as: https://registry.acme.example',
    )
  if (key === 'timeout' && !(Number(value) > 0 && Number(value) <= 86_400))
    throw usage(`timeout must be a number of seconds above 0, not ${JSON.stringify(value)}`)
  if (key === 'output' && value !== 'text' && value !== 'json') throw usage(`output must be text or json, not ${JSON.stringify(value)}`)
  if (key === 'profile' && !/^[A-Za-z0-9_-]{1,64}$/.test(value))
    throw usage(`A profile name has 1 to 64 letters, digits, hyphens and underscores, not ${JSON.stringify(value)}`)
  return value
}

const isWebAddress = (value: string, isHttpsOnly: boolean) => {
  if (!URL.canParse(value)) return false
  const { protocol, username, password, search, hash } = new URL(value)
  return (protocol === 'https:' || (protocol === 'http:' && !isHttpsOnly)) && `${username}${password}${search}${hash}` === ''
}
