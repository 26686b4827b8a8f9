import { missingCredentials } from '../failure.ts'
import type { Profile } from './profile.ts'

export interface Credential {
  key: string
  source: 'environment' | 'profile'
}

interface Search {
  /** Where the key would be sent. */
  url: string
  /** The address was given as the registry's mutual-TLS address. */
  isTlsPort?: boolean
  env: Readonly<Record<string, string | undefined>>
  profile: Profile
  readKeyFile(path: string): string
}

/** The key for an address: from the environment, or from the profile if that address may receive it. */
export const chooseCredential = ({
  url,
  isTlsPort = false,
  env,
  profile,
  readKeyFile,
}: Search): Credential | undefined => {
  const stated = env.COUNTERSIGN_API_KEY
  if (stated) return { key: cleanKey(stated, 'COUNTERSIGN_API_KEY'), source: 'environment' }
  const file = env.COUNTERSIGN_API_KEY_FILE
  if (file) return { key: cleanKey(readKeyFile(file), 'COUNTERSIGN_API_KEY_FILE'), source: 'environment' }
  if (profile.api_key !== undefined && mayReceiveKey(url, profile, isTlsPort))
    return { key: profile.api_key, source: 'profile' }
  return undefined
}

/**
 * A saved key goes only to the origin that issued it, or to that registry's mutual-TLS port: https on the same host, or exactly
 * the address saved in the same profile.
 */
export const mayReceiveKey = (url: string, { key_origin, tls_url }: Profile, isTlsPort: boolean) => {
  if (key_origin === undefined || !URL.canParse(url) || !URL.canParse(key_origin)) return false
  const target = new URL(url)
  const home = new URL(key_origin)
  if (target.origin === home.origin) return true
  if (!isTlsPort || target.protocol !== 'https:') return false
  return (
    hostOf(target) === hostOf(home) ||
    (tls_url !== undefined && URL.canParse(tls_url) && new URL(tls_url).origin === target.origin)
  )
}

const hostOf = ({ hostname }: URL) => (['localhost', '127.0.0.1', '[::1]'].includes(hostname) ? 'localhost' : hostname)

export const cleanKey = (text: string, from: string) => {
  const key = text.trim()
  if (/^[\u0021-\u007e]{8,512}$/.test(key)) return key
  throw missingCredentials(`The value from ${from} is not an API key`, 'API keys start with csk_')
}

/** Enough to distinguish keys, not enough to use one. */
export const maskKey = (key: string) => `${/^cs[kc]_[A-Za-z0-9]{8}_|^css_/.exec(key)?.[0] ?? ''}…`
