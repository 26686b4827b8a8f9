import { createAccountService } from '../account/service.ts'
import type { PasswordHasher } from '../auth/hashing.ts'
import { createAuthService } from '../auth/service.ts'
import type { ScopedDatabase } from '../db/scoped.ts'
import { createDelayService } from '../delays/service.ts'
import { createDeviceService } from '../devices/service.ts'
import type { DomainService } from '../domains/service.ts'
import type { EventRecorder } from '../events/service.ts'
import { createAuthenticators } from '../factors/authenticators.ts'
import { createPasskeys } from '../factors/passkeys.ts'
import { createFactorService } from '../factors/service.ts'
import { createRateLimits, noRateLimits } from '../http/rate-limits.ts'
import type { NewId } from '../ids.ts'
import { isSameHash } from '../keys/rules.ts'
import { createKeyService } from '../keys/service.ts'
import type { MailService } from '../mail/service.ts'
import { createMailboxService } from '../mailboxes/service.ts'
import type { Protection } from '../names/rules.ts'
import { callbackPathOf } from '../oauth/rules.ts'
import { createOauthService } from '../oauth/service.ts'
import type { ResolveTxt } from '../outbound/dns.ts'
import type { Egress } from '../outbound/egress.ts'
import { createIdentityClients } from '../outbound/identity-providers.ts'
import { createPeopleService } from '../people/service.ts'
import { createPresenceService } from '../presence/service.ts'
import type { ProviderService } from '../providers/service.ts'
import { createRecoveryService } from '../recovery/service.ts'
import { createRegistrationService } from '../registrations/service.ts'
import type { Listings } from '../search/listings.ts'
import { createSessionService } from '../sessions/service.ts'
import type { SigningService } from '../signing/service.ts'
import { summaryOf } from '../verifications/record.ts'
import type { Deps } from './deps.ts'

interface Shared extends Pick<Deps, 'config' | 'log' | 'publicUrl' | 'now'> {
  database: ScopedDatabase
  events: EventRecorder
  mail: MailService
  listings: Listings
  signing: SigningService
  resolveTxt: ResolveTxt
  newId: NewId
}

interface PeopleDeps extends Shared {
  protection: Protection
  passwords: PasswordHasher
  isProxyTrusted: boolean
}

/** Keys, sessions, accounts and their members, in order of their dependencies. */
export const createPeopleServices = ({
  config,
  database,
  events,
  mail,
  listings,
  signing,
  passwords,
  protection,
  isProxyTrusted,
  resolveTxt,
  log,
  publicUrl,
  now,
  newId,
}: PeopleDeps) => {
  const keys = createKeyService({
    database,
    events,
    mail,
    now,
    newId,
    onFailure: (err) => log.warn({ err }, 'the last use of a key could not be recorded'),
  })
  const sessions = createSessionService({
    database,
    events,
    secret: signing.deriveSecret('console keys'),
    isSame: isSameHash,
    now,
    newId,
    onFailure: (err) => log.warn({ err }, 'the last use of a session could not be recorded'),
  })
  const rateLimits = config.rateLimits === 'on' ? createRateLimits({ database, now }) : noRateLimits
  const auth = createAuthService({
    database,
    events,
    sessions,
    mail,
    passwords,
    isFamiliar: rateLimits.isFamiliar,
    noteFamiliar: rateLimits.noteFamiliar,
    publicUrl,
    now,
  })
  const delays = createDelayService({
    database,
    events,
    mail,
    publicUrl,
    now,
    newId,
    onFailure: (change, err) => log.error({ change, err }, 'a delayed change failed; it is tried again'),
  })
  const people = createPeopleService({
    database,
    events,
    mail,
    auth,
    sessions,
    delays,
    protection,
    publicUrl,
    now,
    newId,
  })
  const mailboxes = createMailboxService({
    database,
    events,
    mail,
    auth,
    sessions,
    delays,
    secret: signing.deriveSecret('new addresses'),
    publicUrl,
    now,
  })
  const account = createAccountService({
    database,
    events,
    mail,
    auth,
    listings,
    people,
    delays,
    summaryOf: (row, at) => summaryOf(row, { at, isProxyTrusted }),
    now,
  })
  const presence = createPresenceService({ database, now })
  const factors = createFactorService({
    database,
    events,
    mail,
    sessions,
    presence,
    delays,
    passkeys: createPasskeys({ publicUrl }),
    authenticators: createAuthenticators({
      key: signing.deriveSecret('authenticator apps'),
      host: new URL(publicUrl).hostname,
    }),
    secret: signing.deriveSecret('factor codes'),
    publicUrl,
    now,
    newId,
  })
  const devices = createDeviceService({
    database,
    sessions,
    mail,
    secret: signing.deriveSecret('device codes'),
    publicUrl,
    now,
  })
  const recovery = createRecoveryService({
    database,
    events,
    mail,
    delays,
    sessions,
    resolveTxt,
    secret: signing.deriveSecret('factor codes'),
    publicUrl,
    now,
  })

  return {
    account,
    auth,
    delays,
    devices,
    factors,
    keys,
    mailboxes,
    people,
    presence,
    rateLimits,
    recovery,
    sessions,
  }
}

interface SignUpDeps extends Shared {
  egress: Egress
  providers: ProviderService
  domains: DomainService
  isDevelopment: boolean
}

/** Creating an account, and signing in with GitHub or Google. */
export const createSignUpServices = (
  {
    config,
    database,
    events,
    mail,
    signing,
    egress,
    providers,
    domains,
    isDevelopment,
    log,
    publicUrl,
    now,
    newId,
  }: SignUpDeps,
  { auth, people, rateLimits, sessions }: ReturnType<typeof createPeopleServices>,
) => {
  const registrations = createRegistrationService({
    database,
    events,
    providers,
    domains,
    people,
    sessions,
    auth,
    mail,
    isFamiliar: rateLimits.isFamiliar,
    secret: signing.deriveSecret('mailed codes'),
    publicUrl,
    now,
    newId,
  })
  const clients = createIdentityClients({
    config,
    egress,
    callbackUrlOf: (provider) => `${publicUrl}${callbackPathOf(provider)}`,
    allowsHttp: isDevelopment,
    onFailure: (provider, reason) => log.warn({ provider, reason }, 'sign-in failed at the identity provider'),
  })
  const oauth = createOauthService({
    database,
    events,
    sessions,
    providers,
    people,
    mail,
    clients,
    noteFamiliar: rateLimits.noteFamiliar,
    publicUrl,
    now,
  })

  return { oauth, registrations }
}
