import type { JsonWebKey } from 'node:crypto'
import type { Egress } from './egress.ts'

/** A key that an issuer publishes, by its `kid`. Undefined if it publishes none with that name; throws if it does not answer. */
export type FindIssuerKey = (issuer: string, kid: string) => Promise<JsonWebKey | undefined>

interface Deps {
  egress: Egress
  now: () => number
}

interface KeySet {
  keys: ReadonlyMap<string, JsonWebKey>
  at: number
}

const maxBytes = 256_000
const timeoutMs = 8_000
const freshMs = 900_000
/** A token that names an unknown key makes the registry fetch the keys again, but not more often than this. */
const cooldownMs = 60_000
/** While an issuer cannot be reached, its last published keys stay valid. */
const staleMs = 24 * 3_600_000
const maxKeys = 100

/** Discovery (OpenID Connect Discovery 1.0 §4) and key sets (RFC 7517) of issuers whose tokens the registry accepts. */
export const createFindIssuerKey = ({ egress, now }: Deps): FindIssuerKey => {
  const known = new Map<string, KeySet>()
  const askedAt = new Map<string, number>()
  const underWay = new Map<string, Promise<KeySet>>()

  const readJson = async (url: string): Promise<Record<string, unknown>> => {
    const { status, body } = await egress.fetch(url, {
      headers: { accept: 'application/json' },
      maxBytes,
      timeoutMs,
      maxRedirects: 0,
    })
    if (status !== 200) throw new Error(`The issuer answered ${status}.`)
    const value: unknown = JSON.parse(body.toString('utf8'))
    if (typeof value !== 'object' || value === null) throw new Error("The issuer's response has an unexpected form.")
    return value as Record<string, unknown>
  }

  const fetchKeys = async (issuer: string): Promise<KeySet> => {
    const discovered = await readJson(`${issuer}/.well-known/openid-configuration`)
    // Discovery 1.0 §4.3: otherwise one issuer could speak for another.
    if (discovered.issuer !== issuer || typeof discovered.jwks_uri !== 'string')
      throw new Error('The issuer’s configuration names another issuer.')
    const { keys } = await readJson(discovered.jwks_uri)
    if (!Array.isArray(keys)) throw new Error('The issuer publishes no keys.')
    return {
      keys: new Map(
        keys
          .slice(0, maxKeys)
          .filter(isNamedKey)
          .map((key) => [key.kid, key]),
      ),
      at: now(),
    }
  }

  const renew = (issuer: string): Promise<KeySet> => {
    const running = underWay.get(issuer)
    if (running) return running
    askedAt.set(issuer, now())
    const run = fetchKeys(issuer)
      .then((found) => {
        known.set(issuer, found)
        return found
      })
      .finally(() => underWay.delete(issuer))
    underWay.set(issuer, run)
    return run
  }

  return async (issuer, kid) => {
    const at = now()
    const cached = known.get(issuer)
    const usable = cached && at - cached.at < staleMs ? cached : undefined
    const found = usable?.keys.get(kid)
    if (found && usable && at - usable.at < freshMs) return found
    const running = underWay.get(issuer)
    const isCooling = at - (askedAt.get(issuer) ?? Number.NEGATIVE_INFINITY) < cooldownMs
    if (isCooling && !running) {
      if (usable) return found
      throw new Error('The issuer did not answer a moment ago.')
    }
    try {
      return (await renew(issuer)).keys.get(kid)
    } catch (error) {
      if (found) return found
      throw error
    }
  }
}

const isNamedKey = (key: unknown): key is JsonWebKey & { kid: string } =>
  typeof key === 'object' && key !== null && 'kid' in key && typeof key.kid === 'string'
