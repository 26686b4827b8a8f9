import type { ReviewKind } from './keys.ts'
import { type Route, routes } from './routes.ts'

/**
 * What a call needs if its provider is protected: an owner has a passkey or an authenticator.
 *
 * - `none`: nothing more than its credentials.
 * - `stop`: it ends something. Sessions may do it at once, keys three times an hour; more are staged.
 * - `needed`: a session must prove presence, and the call of a key or a job is staged until a person approves it.
 * - `personal`: it is about a person, so a session must prove presence and keys are rejected.
 */
export type Presence = 'none' | 'stop' | 'needed' | 'personal'

/** What the decision depends on besides the call. */
export interface PresenceState {
  /** The provider's company name, as it is. */
  company_name: string | null
  /** Its website. */
  website: string | null
  /** Its support email. */
  support_email: string | null
  /** The key that calls. */
  key_id: string | null
  /** The deployment in the body may already mint links for a version of the model. */
  isAuthorized: boolean
  /** The call registers a version, and its model's latest one is archived and has authorized deployments. */
  isLatestArchived: boolean
  /** Versions archived in the last 24 hours. */
  archived: number
  /** What a leaked key changed, if the call decides on such a change. */
  reviewed: ReviewKind | null
}

/** A call, as far as the decision depends on it. */
export interface PresenceCall {
  /** The parameters of the path. */
  params: Readonly<Record<string, unknown>>
  /** The body, or an empty object. */
  body: Readonly<Record<string, unknown>>
  /** What the registry knows. */
  state: PresenceState
}

type Rule = Presence | ((call: PresenceCall) => Presence)
type Rules = {
  readonly [Feature in keyof typeof routes]: { readonly [Name in keyof (typeof routes)[Feature]]: Rule }
}

/** How many versions may be archived within 24 hours without presence. */
export const archivesWithoutPresence = 3

const neededIf = (isNeeded: boolean): Presence => (isNeeded ? 'needed' : 'none')

const identityFields = ['company_name', 'website', 'website_url', 'support_email'] as const

/** Company name, website and support email, if they change. */
const identity = ({ body, state }: PresenceCall): Presence =>
  neededIf(
    identityFields.some(
      (field) =>
        (body[field] ?? undefined) !== undefined && body[field] !== state[field === 'website_url' ? 'website' : field],
    ),
  )

const archive = ({ state }: PresenceCall): Presence => neededIf(state.archived >= archivesWithoutPresence)

const authorization = ({ state }: PresenceCall): Presence => neededIf(!state.isAuthorized)

/** Copied authorizations are not the first: those deployments were authorized for the model before. Unless archiving ended them. */
const registration = ({ body, state }: PresenceCall): Presence =>
  neededIf(body.copy_authorizations === true && state.isLatestArchived)

/** Rules whose answer someone else can change while the call waits. */
const changing: readonly Rule[] = [identity, archive, authorization, registration]

/** A key may always end itself. */
const ofKey = ({ params, state }: PresenceCall): Presence => (params.id === state.key_id ? 'none' : 'stop')

const notSuspended: readonly (ReviewKind | null)[] = ['profile', 'domain', 'version', 'primary_domain', 'member']

/** Withdrawing ends what is suspended. But it also brings back an earlier name, website or primary domain, and removes a domain, a version or an owner. */
const review = ({ body, state }: PresenceCall): Presence =>
  body.decision === 'withdrawn' && !notSuspended.includes(state.reviewed) ? 'stop' : 'needed'

/** A rule for every endpoint. What stops something needs no presence; what undoes a stop does. */
const rules: Rules = {
  verifications: { create: 'none', get: 'none', opened: 'none', inspect: 'none', bind: 'none' },
  providers: {
    register: 'needed',
    me: 'none',
    verifyDomain: 'none',
    update: identity,
    setProfile: identity,
    setCompliance: 'none',
    setVisibility: 'none',
    uploadLogo: 'none',
    deleteLogo: 'none',
    deactivate: 'needed',
    reactivate: 'needed',
    delete: 'needed',
    list: 'none',
    get: 'none',
    getPrivate: 'none',
    models: 'none',
  },
  // Naming a domain needs presence. Proving it does not: DNS decides, so the first proof is never staged.
  domains: { list: 'none', add: 'needed', verify: 'none', remove: 'needed', makePrimary: 'needed' },
  models: {
    register: registration,
    list: 'none',
    get: 'none',
    archive,
    putArchive: archive,
    unarchive: 'needed',
    quickEdit: 'none',
    history: 'none',
    setVisibility: 'none',
    latest: 'none',
    files: 'none',
    health: 'none',
    setHealth: 'none',
    communityStats: 'none',
    syncHuggingface: 'none',
    allowDeployment: authorization,
    deployments: 'none',
    countDeployments: 'none',
    revokeDeployment: 'stop',
  },
  bundles: { verify: 'none', upload: 'none', status: 'none' },
  signers: { list: 'none', declare: 'needed', challenge: 'none', prove: 'needed', withdraw: 'stop' },
  deployments: {
    // It cannot mint links before it is authorized.
    register: 'none',
    list: 'none',
    setStatus: ({ body }) => (body.status === 'disabled' ? 'stop' : 'needed'),
    delete: 'stop',
  },
  incidents: { report: 'none', list: 'none', get: 'none', respond: 'none' },
  keys: {
    list: 'none',
    create: 'needed',
    revoke: ofKey,
    compromise: ofKey,
    reviews: 'none',
    review,
  },
  publishers: { list: 'none', add: 'needed', remove: 'stop', exchange: 'none' },
  workloads: { list: 'none', trust: 'needed', remove: 'stop', exchange: 'none' },
  members: {
    list: 'none',
    invite: 'needed',
    withdraw: 'stop',
    setRole: 'needed',
    remove: 'needed',
    preview: 'none',
    accept: 'none',
    providers: 'none',
    use: 'none',
  },
  // The registry asks for a proof, a fresh sign-in or a code by email, even for people of unprotected providers.
  factors: {
    list: 'none',
    sendCode: 'none',
    begin: 'none',
    add: 'none',
    rename: 'none',
    remove: 'none',
    renewCodes: 'none',
    beginProof: 'none',
    prove: 'none',
    beginSignIn: 'none',
    signIn: 'none',
    beginRecovery: 'none',
    recover: 'none',
    // It stops something.
    cancelRecovery: 'none',
  },
  // A new session outlives the one that approves it.
  devices: { begin: 'none', token: 'none', find: 'none', approve: 'personal', deny: 'none' },
  changes: { list: 'none', get: 'none', approve: 'personal', reject: 'none', cancel: 'stop', undo: 'none' },
  // What it restores may need presence on its own, such as an archived version.
  activity: { list: 'none', undo: 'needed' },
  search: { find: 'none' },
  account: {
    attention: 'none',
    usage: 'none',
    verifications: 'none',
    verificationsByDay: 'none',
    events: 'none',
    notifications: 'none',
    setNotifications: ({ body }) => neededIf((body.security_alerts ?? undefined) !== undefined),
    deleteMe: 'personal',
    changeEmail: 'personal',
    confirmEmail: 'none',
    restoreEmail: 'none',
  },
  auth: {
    checkDomain: 'none',
    sendVerification: 'none',
    verifyEmail: 'none',
    register: 'none',
    login: 'none',
    verify: 'none',
    setPassword: 'none',
    passwordAccount: 'none',
    forgotPassword: 'none',
    changePassword: 'personal',
    signOut: 'none',
    sessions: 'none',
    revokeSession: 'stop',
    exchange: 'none',
    identities: 'none',
    startLink: 'personal',
    unlink: 'personal',
  },
  signing: { jwks: 'none' },
  log: { proofs: 'none', entries: 'none', near: 'none', dispute: 'none' },
}

const keyOf = ({ method, path }: Pick<Route, 'method' | 'path'>) => `${method} ${path}`

const byRoute = new Map<string, { name: string; rule: Rule }>(
  Object.entries(routes).flatMap(([feature, named]) =>
    Object.entries<Route>(named).map(([name, route]): [string, { name: string; rule: Rule }] => [
      keyOf(route),
      {
        name: `${feature}.${name}`,
        rule: (rules as Record<string, Record<string, Rule>>)[feature]?.[name] ?? 'needed',
      },
    ]),
  ),
)

/** The name of an endpoint, such as `keys.create`. */
export const endpointNameOf = (route: Pick<Route, 'method' | 'path'>): string => byRoute.get(keyOf(route))?.name ?? ''

/** What all calls of an endpoint need; undefined if it depends on the call. */
export const constantPresenceOf = (route: Pick<Route, 'method' | 'path'>): Presence | undefined => {
  const rule = byRoute.get(keyOf(route))?.rule ?? 'needed'
  return typeof rule === 'function' ? undefined : rule
}

/** Whether the decision must be repeated in the transaction that makes the change: the state it depends on may change until then. */
export const isDecidedAgain = (route: Pick<Route, 'method' | 'path'>): boolean =>
  changing.includes(byRoute.get(keyOf(route))?.rule ?? 'needed')

/** What a call needs. Pure: the endpoint, the call and the state decide. */
export const presenceOf = (route: Pick<Route, 'method' | 'path'>, call: PresenceCall): Presence => {
  const rule = byRoute.get(keyOf(route))?.rule ?? 'needed'
  return typeof rule === 'function' ? rule(call) : rule
}
