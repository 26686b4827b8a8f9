import { listProvenDomains } from '../db/proofs.ts'
import type { Deps } from './deps.ts'
import { agreeOn, domainOfWebsite, isAtOrBelow, isOriginGranted, loopbackHost } from './rules.ts'
import { isUnknown } from './words.ts'

const originCacheMs = 60_000
const maxCachedOrigins = 2_000

/** The registry's decision on an origin that a provider names: its own, granted by the domain's owner, neither, or unknown for now. */
export type OriginStanding = 'own' | 'granted' | 'foreign' | 'unknown'

/** Whether a provider may name an origin. */
export const createOrigins = ({ database, resolveTxt, isDevelopment, now }: Deps) => {
  const grants = new Map<string, { standing: Exclude<OriginStanding, 'own'>; until: number }>()

  const readGrant = async (name: string, provider_id: string): Promise<Exclude<OriginStanding, 'own'>> => {
    const verdict = agreeOn(
      await resolveTxt(`_countersign.${name}`),
      ({ isAlias, records }) => (!isAlias && isOriginGranted(records, provider_id) ? 'granted' : 'foreign'),
      (each) => each === 'granted',
    )
    return isUnknown(verdict) ? 'unknown' : (verdict as 'granted' | 'foreign')
  }

  /** Queried at the host itself and at its registrable domain. Cached for a minute, so that minting does not wait for DNS each time. */
  const findGrant = async (host: string, provider_id: string): Promise<Exclude<OriginStanding, 'own'>> => {
    const key = `${provider_id} ${host}`
    const known = grants.get(key)
    if (known && known.until > now()) return known.standing
    const found = domainOfWebsite(`https://${host}`)
    const names = 'domain' in found ? [...new Set([host, found.domain])] : []
    const standings = await Promise.all(names.map((name) => readGrant(name, provider_id)))
    const standing = standings.includes('granted') ? 'granted' : standings.includes('unknown') ? 'unknown' : 'foreign'
    if (grants.size >= maxCachedOrigins) grants.clear()
    if (standing !== 'unknown') grants.set(key, { standing, until: now() + originCacheMs })
    return standing
  }

  /**
   * Decides about an origin: `own` at or below a domain that the provider has proven, `granted` at a domain whose owner names the
   * provider in `countersign-origin`, `unknown` if DNS did not answer. `at` is the provider’s domain that it belongs to.
   */
  return async (provider_id: string, origin: string): Promise<{ standing: OriginStanding; at: string | null }> => {
    const url = URL.parse(origin)
    // `https://.acme.example` and `https://a..acme.example` name no host.
    if (!url || /^\.|\.\./.test(url.hostname)) return { standing: 'foreign', at: null }
    if (isDevelopment && loopbackHost.test(url.hostname)) return { standing: 'own', at: null }
    if (url.protocol !== 'https:') return { standing: 'foreign', at: null }
    const host = url.hostname.replace(/\.$/, '')
    const own = await listProvenDomains(database.read, provider_id, now())
    const at = own.find((domain) => isAtOrBelow(host, domain)) ?? null
    return { standing: at === null ? await findGrant(host, provider_id) : 'own', at }
  }
}
