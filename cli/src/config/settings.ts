import { usage } from '../failure.ts'
import { lookUp } from '../look-up.ts'

export type Source = 'flag' | 'environment' | 'project_file' | 'profile' | 'default'
export type Values = Readonly<Record<string, unknown>>

interface Setting {
  flag?: string
  /** Each variable with its description. */
  variables?: Readonly<Record<string, string>>
  /** May be saved in a profile with `config set`. */
  isSavable?: true
  isSecret?: true
  fallback?: string
}

/** Every setting and its possible sources. A project file only supplies fields, so no entry names it. */
export const settings = {
  api_url: {
    flag: 'apiUrl',
    variables: { COUNTERSIGN_API_URL: 'Address of the registry' },
    isSavable: true,
    fallback: 'http://localhost:4100',
  },
  api_key: {
    variables: {
      COUNTERSIGN_API_KEY: 'API key',
      COUNTERSIGN_API_KEY_FILE: 'File that contains the API key, if COUNTERSIGN_API_KEY is not set',
    },
    isSecret: true,
  },
  profile: {
    flag: 'profile',
    variables: { COUNTERSIGN_PROFILE: 'Profile to take the key and settings from' },
    isSavable: true,
    fallback: 'default',
  },
  tls_url: {
    flag: 'tlsUrl',
    variables: { COUNTERSIGN_TLS_URL: 'Address of the registry for mutual TLS' },
    isSavable: true,
  },
  ca_file: {
    flag: 'ca',
    variables: { COUNTERSIGN_CA_FILE: 'PEM file of a certificate authority to trust' },
    isSavable: true,
  },
  timeout: { flag: 'timeout', isSavable: true, fallback: '10' },
  output: { variables: { COUNTERSIGN_OUTPUT: 'Output format: text, or json like --json' }, fallback: 'text' },
} as const satisfies Record<string, Setting>

export type SettingKey = keyof typeof settings
export const settingKeys = Object.keys(settings) as SettingKey[]
export const isSettingKey = (key: string): key is SettingKey => Object.hasOwn(settings, key)

/** Variables that are not settings. */
export const otherVariables = {
  COUNTERSIGN_CONFIG_DIR: 'Folder of the profiles; default: ~/.config/countersign',
  COUNTERSIGN_COLUMNS: 'Width of tables and texts where the output is not a terminal; default: no limit',
  COUNTERSIGN_NO_INPUT: 'Set to 1 to never prompt, like --no-input',
  COUNTERSIGN_MODEL: 'Model for `countersign mcp` if --model is not given',
  COUNTERSIGN_PROVIDER_ID:
    'Provider that a CI job or a server without a key works for, for auth login --oidc and --workload-token',
  COUNTERSIGN_ID_TOKEN:
    'Identity token of the CI job or the server, as GitLab provides it, for auth login --oidc and --workload-token env',
  HF_TOKEN: 'Hugging Face token, for models on the hub that are not public',
  HF_ENDPOINT: 'Address of the model hub; default: https://huggingface.co',
  CI: 'Set by build servers: no prompts and no progress bars',
  HTTPS_PROXY: 'Proxy for https addresses',
  HTTP_PROXY: 'Proxy for http addresses',
  NO_PROXY: 'Hosts to reach without a proxy, separated by commas',
  NO_COLOR: 'Set to any value to turn colors off, like --no-color',
  CLICOLOR_FORCE: 'Set to 1 to use colors even without a terminal',
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

/** A setting or field, where its value comes from, and which other values it overrides. */
export const explain = (key: string, inputs: Inputs): Explanation => {
  const [first, ...shadowed] = isSettingKey(key)
    ? candidatesOf(settings[key], key, inputs)
    : present([['project_file', lookUp(inputs.project, key)]])
  return { value: first?.value ?? null, source: first?.source ?? null, shadowed }
}

/** Where a value is set, for people. */
export const nameSource = (key: SettingKey, source: Source | null, profilePath: string): string => {
  const { variables = {} }: Setting = settings[key]
  if (source === 'environment') return Object.keys(variables).join(' or ')
  return source === 'profile' ? profilePath : 'its default'
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

/** Rejects an unusable value before it is saved or used. `name` is where it was set, for the message. */
export const checkSetting = (key: SettingKey, value: string, name: string = key) => {
  if ((key === 'api_url' || key === 'tls_url') && !isWebAddress(value, key === 'tls_url'))
    throw usage(
      `${key} must be an ${key === 'tls_url' ? 'https' : 'http or https'} address without user, /api, query or fragment, not ${JSON.stringify(value)}${withScheme(value, key === 'tls_url')}`,
      'For example: https://registry.acme.example',
    )
  if (key === 'timeout' && !(Number(value) > 0 && Number(value) <= 86_400))
    throw usage(`timeout must be a number of seconds above 0, not ${JSON.stringify(value)}`)
  if (key === 'output' && value !== 'text' && value !== 'json')
    throw usage(`${name} must be text or json, not ${JSON.stringify(value)}`)
  if (key === 'profile' && !/^[A-Za-z0-9_-]{1,64}$/.test(value))
    throw usage(
      `A profile name must have 1 to 64 letters, digits, hyphens and underscores, not ${JSON.stringify(value)}`,
    )
  return value
}

/** A suggestion for an address that lacks only its scheme. */
const withScheme = (value: string, isHttpsOnly: boolean) => {
  const isLocal = /^(localhost|127\.[\d.]+)(:|$)/.test(value)
  const address = `http${isLocal && !isHttpsOnly ? '' : 's'}://${value}`
  return /^[\w-]+([.:][\w.-]+)+\/?$/.test(value) && isWebAddress(address, isHttpsOnly)
    ? `. Did you mean ${address}?`
    : ''
}

const isWebAddress = (value: string, isHttpsOnly: boolean) => {
  if (!URL.canParse(value)) return false
  const { href } = new URL(value)
  // As the SDK checks `baseURL`.
  return /^https?:(?!.*(\w\/api\b|[@?#]))/.test(href) && !(isHttpsOnly && href.startsWith('http:'))
}
