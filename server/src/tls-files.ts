import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Config } from './config.ts'
import { ConfigError } from './settings/setting.ts'

type TlsConfig = NonNullable<Config['tls']>
type Credential = Pick<TlsConfig, 'cert' | 'key'>

/** Until when the certificate is valid, in milliseconds since 1970. Throws if the key is not that of the certificate. */
export const checkCredential = ({ cert, key }: Credential): number => {
  const certificate = parsed('TLS_CERT_FILE', () => new X509Certificate(cert))
  if (!certificate.checkPrivateKey(parsed('TLS_KEY_FILE', () => createPrivateKey(key))))
    throw new ConfigError('The key in TLS_KEY_FILE is not that of the certificate in TLS_CERT_FILE.')
  return Date.parse(certificate.validTo)
}

const parsed = <T>(setting: string, parse: () => T): T => {
  try {
    return parse()
  } catch (cause) {
    throw new ConfigError(`${setting} must be a readable PEM file: ${(cause as Error).message}`)
  }
}

interface Deps {
  tls: TlsConfig
  replace: (credential: Credential) => void
  onReplaced: (expiresAt: number) => void
  onFailure: (error: unknown) => void
  everyMs?: number
}

/**
 * Replaces the certificate after its files were replaced, without a restart. While the two files do not fit, the previous pair stays. A
 * folder is not watched: `fs.watch` misses a link that is switched, as Kubernetes and certbot do.
 */
export const followTlsFiles = ({ tls, replace, onReplaced, onFailure, everyMs = 60_000 }: Deps) => {
  let seen: Credential = tls
  const look = async () => {
    const [cert, key] = await Promise.all([readFile(tls.files.cert), readFile(tls.files.key)])
    if (cert.equals(seen.cert) && key.equals(seen.key)) return
    seen = { cert, key }
    const expiresAt = checkCredential(seen)
    replace(seen)
    onReplaced(expiresAt)
  }
  const timer = setInterval(() => look().catch(onFailure), everyMs)
  timer.unref()
  return { look, stop: () => clearInterval(timer) }
}
