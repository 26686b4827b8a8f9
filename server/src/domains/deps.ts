import type { Database } from '../db/engine.ts'
import type { DelayService } from '../delays/service.ts'
import type { EventRecorder } from '../events/service.ts'
import type { MailService } from '../mail/service.ts'
import type { ResolveTxt } from '../outbound/dns.ts'
import type { ReadDomainFile } from '../outbound/domain-file.ts'
import type { Listings } from '../search/listings.ts'

export interface Deps {
  database: Database
  events: EventRecorder
  mail: Pick<MailService, 'alert'>
  delays: Pick<DelayService, 'schedule' | 'find'>
  listings: Pick<Listings, 'providerChanged'>
  resolveTxt: ResolveTxt
  readDomainFile: ReadDomainFile
  /** Names such as acme.example may be proven, and origins on this machine named: only while the registry itself is on loopback. */
  isDevelopment: boolean
  now: () => number
}
