import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { usage } from '../failure.ts'

/** What a profile stores. The key is only sent to `key_origin`, the registry that issued it. */
export interface Profile {
  api_key?: string
  key_origin?: string
  key_id?: string
  /** `yes`: the key came with the registration and was never shown, so this may be the only copy. */
  is_only_copy?: string
  provider_id?: string
  company_name?: string
  /** Publisher of a token from `auth login --oidc`. */
  publisher_id?: string
  /** Expiry of that token, or of a session from `auth login`. */
  expires_at?: string
  api_url?: string
  tls_url?: string
  ca_file?: string
  timeout?: string
}

export interface ProfileStore {
  folder: string
  pathOf(name: string): string
  /** The names of all profiles, in order. */
  list(): string[]
  read(name: string): Profile
  exists(name: string): boolean
  /** Merges; `undefined` removes. */
  write(name: string, changes: Profile): Promise<void>
  /** Where the name of the active profile is stored. */
  activePath: string
  readActive(): string | undefined
  /** `undefined` returns to the default profile. */
  writeActive(name: string | undefined): Promise<void>
}

export const configFolder = (env: Readonly<Record<string, string | undefined>>) =>
  env.COUNTERSIGN_CONFIG_DIR ||
  join(
    env.XDG_CONFIG_HOME || (process.platform === 'win32' && env.APPDATA) || join(homedir(), '.config'),
    'countersign',
  )

/** Files that can be recreated at any time. */
export const cacheFolder = (env: Readonly<Record<string, string | undefined>>) =>
  join(
    env.XDG_CACHE_HOME || (process.platform === 'win32' && env.LOCALAPPDATA) || join(env.HOME || homedir(), '.cache'),
    'countersign',
  )

export const createProfileStore = (folder: string): ProfileStore => {
  const profiles = join(folder, 'profiles')
  return {
    folder,
    pathOf: (name) => join(profiles, `${name}.json`),
    list: () =>
      (existsSync(profiles) ? readdirSync(profiles) : []).flatMap((file) => profileFile.exec(file)?.[1] ?? []).sort(),
    read: (name) => readObject(join(profiles, `${name}.json`)),
    exists: (name) => existsSync(join(profiles, `${name}.json`)),
    write: (name, changes) => change(profiles, name, { ...changes }),
    activePath: join(folder, 'config.json'),
    readActive: () => readObject(join(folder, 'config.json')).profile,
    writeActive: (profile) => change(folder, 'config', { profile }),
  }
}

const profileFile = /^([A-Za-z0-9_-]{1,64})\.json$/

// Read the file directly: conf loads a schema validator, which takes longer than most commands.
const readObject = (path: string): Record<string, string> => {
  const text = readIfThere(path)
  if (text === undefined) return {}
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(
        Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
      )
  } catch {}
  throw usage(`${path} is not valid JSON`, 'Repair or remove the file')
}

const readIfThere = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined)

const change = async (cwd: string, configName: string, changes: Record<string, string | undefined>) => {
  const { default: Conf } = await import('conf')
  mkdirSync(cwd, { recursive: true, mode: 0o700 })
  const file = new Conf<Record<string, string>>({
    cwd,
    configName,
    configFileMode: 0o600,
    accessPropertiesByDotNotation: false,
  })
  const settings = Object.entries({ ...file.store, ...changes }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  file.store = Object.fromEntries(settings)
}
