import { inboxOf, mailboxOf } from '@countersign/sdk/contract'
import type { Caller } from './callers.ts'

/** What a limit may depend on. */
export interface Call {
  /** The requesting network: an IPv4 address or the /64 of an IPv6 one. */
  network: () => string
  caller: Caller | undefined
  params: Readonly<Record<string, unknown>>
  body: Readonly<Record<string, unknown>>
  /** The subject that only services know: a model has many links, and a link many spellings. */
  model_id?: string
}

export interface RateRule {
  name: string
  points: number
  seconds: number
  /** Whose requests are counted together; undefined if the rule does not apply. */
  by: (call: Call) => string | undefined
  /** Allows bursts, from a reserve that refills in ten times the window. */
  burst?: number
  /** Counted in the database, for all replicas together: limits that protect accounts. Others are counted by each process. */
  isShared?: true
  /** What was too much, for people. */
  of?: string
}

const minute = 60
const hour = 3_600
const day = 86_400

/** A signed-in caller is counted by its key or session wherever strangers are counted by their network. */
const network = ({ caller, network }: Call) => caller?.actor ?? network()
const provider = ({ caller }: Call) => caller?.provider_id
const key = ({ caller }: Call) => caller?.actor
const email = ({ body, caller }: Call) => (typeof body.email === 'string' ? inboxOf(body.email) : caller?.provider_id)
/** The /48 of IPv6: one customer may have that many networks. */
const wide = (network: string) => network.replace(/^(\w+:\w+:\w+):\w+::\/64$/, '$1::/48')
/** Each network separately, so that strangers' attempts don't use up the owner's. */
const networkAndEmail = (call: Call) => {
  const address = email(call)
  return address && `${wide(call.network())} ${address}`
}
const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
/** A model is counted separately for each caller: a stranger's requests use up nothing and don't reveal whether the model exists. */
const callerAndModel = ({ caller, params }: Call) => caller && `${caller.provider_id} ${text(params.id)}`
/** The end of a token, which is its signature. */
const tokenOf = ({ params }: Call) => text(params.token)?.slice(-43)
/** Only if everything is fetched and checked again. */
const forced = (call: Call) => (call.body.force_refresh === true ? callerAndModel(call) : undefined)
/** The reporter: one customer's networks count as one, as with openings. */
const household = (call: Call) => wide(call.network())
const householdAndModel = ({ network, model_id }: Call) => model_id && `${wide(network())} ${model_id}`
/** Only if a logo is fetched from elsewhere. */
const fetching = ({ body, caller }: Call) => (text(body.logo_url) ? caller?.provider_id : undefined)
/** Only if all models of the provider are listed again. */
const relisting = ({ body, caller }: Call) =>
  [body.company_name, body.website, body.is_listed].some((value) => value !== undefined)
    ? caller?.provider_id
    : undefined

/** What is only known once the body is read. */
const readsBody: ReadonlySet<RateRule['by']> = new Set([email, networkAndEmail, forced, fetching, relisting])

/**
 * When a request is counted. A minute's limit counts it before its body is parsed. An hour's limit is small, so it counts only valid
 * requests, after the body; before, it only rejects those that come too late.
 */
export const phaseOf = ({ by, seconds }: RateRule): 'early' | 'late' | 'checked early, counted late' =>
  readsBody.has(by) ? 'late' : seconds <= minute ? 'early' : 'checked early, counted late'

/**
 * Neighbouring networks often belong to one customer. Each wider network may send this many times what one may: the /24 of IPv4, the /56
 * and the /48 of IPv6.
 */
export const widerNetworks = (network: string): readonly { network: string; times: number }[] => {
  const ipv4 = /^(\d+\.\d+\.\d+)\.\d+$/.exec(network)
  if (ipv4) return [{ network: `${ipv4[1]}.0/24`, times: 16 }]
  const [, high, low] = /^(\w+:\w+:\w+):(\w+)::\/64$/.exec(network) ?? []
  if (high === undefined || low === undefined) return []
  return [
    { network: `${high}:${low.padStart(4, '0').slice(0, 2)}00::/56`, times: 4 },
    { network: `${high}::/48`, times: 16 },
  ]
}

/** Whether strangers are counted by their network. */
export const isByNetwork = ({ by }: RateRule): boolean => by === network

/** Kilobytes of large bodies per minute, for a network that shows no key and for a provider. */
export const largeBodyKilobytes = { network: 3_000, provider: 60_000 } as const

const rule = (
  name: string,
  points: number,
  seconds: number,
  by: RateRule['by'],
  more: Pick<RateRule, 'burst' | 'isShared' | 'of'> = {},
): RateRule => ({
  name,
  points,
  seconds,
  by,
  ...more,
})
const shared = { isShared: true } as const

const verify = [rule('verify', 120, minute, network, { burst: 60 })]
const lists = [rule('lists', 60, minute, network)]
const codes = [rule('codes', 20, minute, network, shared)]
const logo = (by: RateRule['by']) => rule('logo', 10, hour, by, { of: 'new logos' })

/** Each writes the listing of every model: a second for 3,000 of them, in which SQLite takes no other write. */
const listing = (by: RateRule['by']) => rule('listing', 30, hour, by, { of: 'changes of your listing' })

/** For everything else: enough for every pipeline, too little for a flood. */
export const general = [rule('requests', 600, minute, network)]

/** Counted by the service in its transaction, where the model is known. */
export const reportsOfModel = rule('reports-of-model', 3, day, householdAndModel, {
  ...shared,
  of: 'reports of this model',
})

/** The addresses that browsers open to sign in elsewhere; not endpoints of the contract. */
export const signInPages = 'GET /api/v1/auth/:provider'

const domainProof = rule('domain-proof', 20, hour, provider, { of: 'checks of a domain' })

/** By method and path of an endpoint. */
const rules: Readonly<Record<string, readonly RateRule[]>> = {
  'POST /api/v1/create-verification': [
    rule('links', 600, minute, key, { burst: 100 }),
    rule('links-provider', 1_200, minute, provider),
  ],
  'POST /api/v1/jwt/:token/bind-response': [
    // First: otherwise a flood of invented tokens would fill the memory with their counts.
    rule('bind-network', 120, minute, network),
    rule('bind', 10, minute, tokenOf),
  ],
  'GET /api/v1/verify/:token': verify,
  'GET /api/v1/jwt/verify/:token': verify,
  'POST /api/v1/verify/:token/opened': verify,
  'GET /api/v1/search': lists,
  'GET /api/v1/providers/public': lists,
  'GET /api/v1/models/public': lists,
  'POST /api/v1/providers/check-domain': [rule('check-domain', 30, minute, network)],
  'POST /api/v1/providers/register': [rule('register', 5, hour, network, shared)],
  'POST /api/v1/auth/email/register': [
    rule('register', 5, hour, network, shared),
    // Emails are capped for all strangers together, when they are queued.
    rule('mail', 3, hour, networkAndEmail, shared),
  ],
  'POST /api/v1/providers/send-verification': [
    rule('mail-network', 10, hour, network, shared),
    rule('mail', 3, hour, networkAndEmail, shared),
  ],
  'POST /api/v1/auth/password/forgot': [
    rule('mail-network', 10, hour, network, shared),
    rule('mail-reset', 3, hour, networkAndEmail, shared),
  ],
  'POST /api/v1/auth/recovery': [
    rule('mail-network', 10, hour, network, shared),
    rule('mail-recovery', 3, hour, networkAndEmail, shared),
  ],
  'PUT /api/v1/auth/recovery': [rule('recovery', 10, minute, network, shared)],
  'POST /api/v1/changes/undo': [rule('undo', 10, minute, network, shared)],
  'POST /api/v1/auth/email/login': [
    rule('login', 10, minute, network, shared),
    rule('login-address', 5, minute, networkAndEmail, shared),
  ],
  'POST /api/v1/auth/passkey/challenge': [rule('passkeys', 30, minute, network, shared)],
  'POST /api/v1/auth/passkey': [rule('login', 10, minute, network, shared)],
  'POST /api/v1/auth/device': [rule('devices', 20, hour, network, shared)],
  // Each program polls twelve times a minute; the code itself says when that is too often.
  'POST /api/v1/auth/device/token': [rule('device-polls', 120, minute, network)],
  'POST /api/v1/me/device': [rule('device-codes', 10, minute, key, shared)],
  'POST /api/v1/me/device/approve': [rule('device-codes', 10, minute, key, shared)],
  'POST /api/v1/me/device/deny': [rule('device-codes', 10, minute, key, shared)],
  // It takes the password.
  'DELETE /api/v1/me': [rule('erasure', 5, hour, key, shared)],
  'POST /api/v1/me/email': [rule('new-mailbox', 5, hour, key, shared)],
  'PUT /api/v1/me/email': [rule('new-mailbox-code', 10, minute, key, shared)],
  'POST /api/v1/auth/email/restore': [rule('restore-mailbox', 10, minute, network, shared)],
  'POST /api/v1/me/factors/code': [rule('factor-code', 5, hour, key, shared)],
  'POST /api/v1/me/factors/challenge': [rule('factors', 10, minute, key, shared)],
  'POST /api/v1/me/factors': [rule('factors', 10, minute, key, shared)],
  'POST /api/v1/me/recovery-codes': [rule('factors', 10, minute, key, shared)],
  'POST /api/v1/me/presence/challenge': [rule('presence', 30, minute, key, shared)],
  'POST /api/v1/me/presence': [rule('presence', 30, minute, key, shared)],
  'POST /api/v1/auth/email/verify': codes,
  'POST /api/v1/providers/verify-email': codes,
  'POST /api/v1/auth/password/set': codes,
  'POST /api/v1/auth/password/account': codes,
  'POST /api/v1/auth/password/change': [rule('change-password', 5, minute, provider, shared)],
  'POST /api/v1/auth/exchange': codes,
  'POST /api/v1/auth/oidc/token': [rule('exchanges', 60, minute, network, shared)],
  'POST /api/v1/auth/workload/token': [rule('exchanges', 60, minute, network, shared)],
  [signInPages]: [rule('sign-in', 60, minute, network)],
  'POST /api/v1/incidents/report': [rule('reports', 5, hour, household, shared), reportsOfModel],
  'POST /api/v1/log/entries/:index/dispute': [
    rule('disputes', 10, hour, provider, { ...shared, of: 'disputed entries' }),
    ...general,
  ],
  'POST /api/v1/models/:id/sync-huggingface': [rule('sync', 6, hour, callerAndModel), ...general],
  'POST /api/v1/models/:id/verify-bundle': [
    rule('bundle-force', 6, hour, forced),
    rule('bundle', 60, hour, callerAndModel),
    ...general,
  ],
  'PUT /api/v1/models/:id/bundle': [rule('bundle-upload', 30, hour, callerAndModel), ...general],
  'POST /api/v1/providers/:id/upload-logo': [logo(provider)],
  'PATCH /api/v1/providers/:id': [logo(fetching), listing(relisting), ...general],
  'PUT /api/v1/providers/:id/profile': [logo(fetching), listing(relisting), ...general],
  'PUT /api/v1/providers/:id/visibility': [listing(relisting), ...general],
  'PUT /api/v1/providers/me/domains/:domain/primary': [listing(provider), ...general],
  // Not for deactivating: otherwise someone with a leaked key could prevent it.
  'POST /api/v1/providers/:id/reactivate': [rule('reactivate', 20, hour, provider), ...general],
  'POST /api/v1/providers/me/verify-domain': [domainProof],
  'POST /api/v1/providers/me/domains/:domain/verify': [domainProof],
  'POST /api/v1/providers/me/api-keys': [rule('new-keys', 20, hour, provider)],
  'POST /api/v1/providers/me/publishers': [rule('new-publishers', 60, hour, provider)],
  'POST /api/v1/providers/me/workloads': [rule('new-workloads', 60, hour, provider)],
}

/** Whose failures slow an endpoint down, and how long it waits at most. */
interface SlowedRule extends Pick<RateRule, 'name' | 'by'> {
  longestMs: number
  /** Not for networks from which the owner signed in. */
  isForStrangers?: true
}

/** Endpoints that take a password. Strangers' attempts at an address delay its owner for less than a client's timeout. */
const slowed: Readonly<Record<string, readonly SlowedRule[]>> = {
  'POST /api/v1/auth/email/login': [
    { name: 'login-failures', by: networkAndEmail, longestMs: 30_000 },
    { name: 'login-failures-address', by: email, longestMs: 4_000, isForStrangers: true },
  ],
}

/** How long a network counts as its owner's after a sign-in. */
export const familiarSeconds = 30 * day

/** What a sign-in makes familiar: the network, and the exact address. */
export const familiarSubjectOf = ({ network, body }: Pick<Call, 'network' | 'body'>): string | undefined =>
  typeof body.email === 'string' ? `${wide(network())} ${mailboxOf(body.email)}` : undefined

export const slowedRulesOf = ({ method, path }: { method: string; path: string }) => slowed[`${method} ${path}`] ?? []

/** After ten wrong passwords within an hour each attempt waits, twice as long each time, up to a limit: no one is locked out. */
export const delayAfterMs = (failures: number, longestMs: number): number =>
  failures < 10 ? 0 : Math.min(longestMs, 1_000 * 2 ** (failures - 10))

export const rulesOf = ({ method, path }: { method: string; path: string }) => rules[`${method} ${path}`] ?? general

const subjects = new Map<RateRule['by'], string>([
  [network, 'key or session, else network'],
  [provider, 'provider'],
  [key, 'key or session'],
  [email, 'email address'],
  [networkAndEmail, 'network and email address'],
  [callerAndModel, 'provider and model'],
  [forced, 'provider and model, with force_refresh'],
  [fetching, 'provider, with logo_url'],
  [relisting, 'provider, with company_name, website or is_listed'],
  [tokenOf, 'link'],
  [household, 'network (the /48 for IPv6)'],
  [householdAndModel, 'network (the /48 for IPv6) and model'],
])

/** Whose requests a limit counts together, in words. */
export const subjectOf = ({ by }: RateRule) => subjects.get(by) ?? ''

/** Every limit with the endpoints that it counts, for people. */
export const describeRules = () => {
  const described = new Map<string, { rule: RateRule; of: string; endpoints: string[] }>()
  for (const [endpoint, ofEndpoint] of [...Object.entries(rules), ['everything else', general] as const]) {
    for (const one of ofEndpoint) {
      if (ofEndpoint !== general && general.includes(one)) continue
      const known = described.get(one.name) ?? { rule: one, of: subjectOf(one), endpoints: [] }
      known.endpoints.push(endpoint)
      described.set(one.name, known)
    }
  }
  return [...described.values()]
}

/** Endpoints that a limit names, for a test that compares them with the contract. */
export const limitedEndpoints = Object.keys(rules)
