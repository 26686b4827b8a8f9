import type { LinkLog } from '@countersign/sdk/contract'
import type { Database } from '../db/engine.ts'
import type { DeploymentService } from '../deployments/service.ts'
import type { DomainService } from '../domains/service.ts'
import type { EventRecorder } from '../events/service.ts'
import type { NewId } from '../ids.ts'
import type { Protection } from '../names/rules.ts'
import type { Listings } from '../search/listings.ts'
import type { SigningService } from '../signing/service.ts'
import type { UsageService } from '../usage/service.ts'
import type { Codes } from './codes.ts'
import type { NamedFact, Verdict } from './rules.ts'

/** What a verdict rests on. */
export interface Basis {
  provider_id: string
  /** The key that signed the link. */
  key: NamedFact
  facts: readonly NamedFact[]
}

export interface Deps {
  database: Database
  events: EventRecorder
  signing: SigningService
  deployments: DeploymentService
  domains: Pick<DomainService, 'originStanding'>
  listings: Pick<Listings, 'wasOpened'>
  protection: Protection
  /** Whether the registry trusts a proxy with client certificates. */
  isProxyTrusted: boolean
  usage: Pick<UsageService, 'checkLink' | 'takeLink'>
  /** How far facts are in the transparency log. */
  standing: (basis: Basis) => Promise<LinkLog>
  /** Issuer of tokens and origin of links. */
  publicUrl: string
  now: () => number
  newId: NewId
  count: { mint: () => void; verdict: (verdict: Pick<Verdict, 'result' | 'reason'>) => void }
}

export interface PartDeps extends Deps {
  codes: Codes
}
