/**
 * Every URL of the API, without schemas, to keep clients small.
 * `list` names the field of a paged answer that holds the items.
 */
export interface Route {
  /** HTTP method. */
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path with `:name` for its parameters. */
  path: `/${string}`
  /** For lists: the field with the items. */
  list?: string
  /** Takes a query without being a list. */
  takesQuery?: true
  /** A DELETE with a body. */
  takesBody?: true
  /** The body is one file as `multipart/form-data` in the field `file`. */
  upload?: true
  /** A POST that creates: accepts `Idempotency-Key`. `secret`: the answer holds a secret and is never stored. */
  idempotent?: 'stored' | 'secret'
}

const routeBy =
  <Method extends Route['method']>(method: Method) =>
  <Path extends string, const More extends Omit<Route, 'method' | 'path'> = object>(path: Path, more?: More) =>
    ({ method, path: `/api/v1${path}`, ...more }) as { method: Method; path: `/api/v1${Path}` } & More

const get = routeBy('GET')
const post = routeBy('POST')
const put = routeBy('PUT')
const patch = routeBy('PATCH')
const del = routeBy('DELETE')

/** Method and path of every endpoint, without schemas. */
export const routes = {
  verifications: {
    create: post('/create-verification'),
    get: get('/verify/:token'),
    opened: post('/verify/:token/opened'),
    inspect: get('/jwt/verify/:token'),
    bind: post('/jwt/:token/bind-response'),
  },
  providers: {
    register: post('/providers/register', { idempotent: 'secret' }),
    me: get('/providers/me'),
    verifyDomain: post('/providers/me/verify-domain'),
    update: patch('/providers/:id'),
    setProfile: put('/providers/:id/profile'),
    setCompliance: put('/providers/:id/compliance'),
    setVisibility: put('/providers/:id/visibility'),
    uploadLogo: post('/providers/:id/upload-logo', { upload: true }),
    deleteLogo: del('/providers/:id/logo'),
    deactivate: post('/providers/:id/deactivate'),
    reactivate: post('/providers/:id/reactivate'),
    delete: del('/providers/:id'),
    list: get('/providers/public', { list: 'providers' }),
    get: get('/providers/:id/public'),
    getPrivate: get('/providers/:id/private'),
    models: get('/providers/:id/models', { list: 'models' }),
  },
  domains: {
    list: get('/providers/me/domains'),
    add: post('/providers/me/domains', { idempotent: 'stored' }),
    verify: post('/providers/me/domains/:domain/verify'),
    remove: del('/providers/me/domains/:domain'),
    makePrimary: put('/providers/me/domains/:domain/primary'),
  },
  models: {
    register: post('/models/register', { idempotent: 'stored' }),
    list: get('/models/public', { list: 'models' }),
    get: get('/models/:id/public'),
    archive: post('/models/:id/archive'),
    putArchive: put('/models/:id/archive'),
    unarchive: put('/models/:id/unarchive'),
    quickEdit: patch('/models/:id/quick-edit'),
    history: get('/models/:id/history'),
    setVisibility: put('/models/:id/visibility'),
    latest: get('/models/:id/latest'),
    files: get('/models/:id/files', { list: 'files' }),
    health: get('/models/:id/health'),
    setHealth: put('/models/:id/health'),
    communityStats: get('/models/:id/community-stats'),
    syncHuggingface: post('/models/:id/sync-huggingface'),
    allowDeployment: post('/models/:id/allow-deployment', { idempotent: 'stored' }),
    deployments: get('/models/:id/deployments', { list: 'deployments' }),
    countDeployments: get('/models/:id/deployments/count'),
    revokeDeployment: del('/models/:id/deployments/:deployment_id'),
  },
  bundles: {
    verify: post('/models/:id/verify-bundle'),
    upload: put('/models/:id/bundle'),
    status: get('/models/:id/bundle-status'),
  },
  signers: {
    list: get('/providers/me/signers', { list: 'signers' }),
    declare: post('/providers/me/signers', { idempotent: 'stored' }),
    challenge: post('/providers/me/signers/:id/challenge'),
    prove: post('/providers/me/signers/:id/prove'),
    withdraw: del('/providers/me/signers/:id'),
  },
  deployments: {
    register: post('/deployments/register', { idempotent: 'stored' }),
    list: get('/deployments', { list: 'deployments' }),
    setStatus: put('/deployments/:id/status'),
    delete: del('/deployments/:id'),
  },
  incidents: {
    report: post('/incidents/report', { idempotent: 'stored' }),
    list: get('/providers/me/incidents', { list: 'incidents' }),
    get: get('/incidents/:id'),
    respond: put('/incidents/:id/respond'),
  },
  keys: {
    list: get('/providers/me/api-keys'),
    create: post('/providers/me/api-keys', { idempotent: 'secret' }),
    revoke: del('/providers/me/api-keys/:id'),
    compromise: post('/providers/me/api-keys/:id/compromised'),
    reviews: get('/providers/me/key-reviews'),
    review: post('/providers/me/key-reviews/:id'),
  },
  publishers: {
    list: get('/providers/me/publishers'),
    add: post('/providers/me/publishers', { idempotent: 'stored' }),
    remove: del('/providers/me/publishers/:id'),
    exchange: post('/auth/oidc/token'),
  },
  workloads: {
    list: get('/providers/me/workloads'),
    trust: post('/providers/me/workloads', { idempotent: 'stored' }),
    remove: del('/providers/me/workloads/:id'),
    exchange: post('/auth/workload/token'),
  },
  members: {
    list: get('/providers/me/members'),
    invite: post('/providers/me/invitations'),
    withdraw: del('/providers/me/invitations/:id'),
    setRole: put('/providers/me/members/:id'),
    remove: post('/providers/me/members/:id'),
    preview: post('/auth/invitations'),
    accept: put('/auth/invitations'),
    providers: get('/auth/providers'),
    use: post('/auth/providers/:id/use'),
  },
  factors: {
    list: get('/me/factors'),
    sendCode: post('/me/factors/code'),
    begin: post('/me/factors/challenge'),
    add: post('/me/factors'),
    rename: put('/me/factors/:id'),
    remove: del('/me/factors/:id'),
    renewCodes: post('/me/recovery-codes'),
    beginProof: post('/me/presence/challenge'),
    prove: post('/me/presence'),
    beginSignIn: post('/auth/passkey/challenge'),
    signIn: post('/auth/passkey'),
    beginRecovery: post('/auth/recovery'),
    recover: put('/auth/recovery'),
    cancelRecovery: del('/me/recovery'),
  },
  devices: {
    begin: post('/auth/device'),
    token: post('/auth/device/token'),
    find: post('/me/device'),
    approve: post('/me/device/approve'),
    deny: post('/me/device/deny'),
  },
  changes: {
    list: get('/providers/me/changes'),
    get: get('/providers/me/changes/:id'),
    approve: post('/providers/me/changes/:id/approve'),
    reject: post('/providers/me/changes/:id/reject'),
    cancel: post('/providers/me/changes/:id/cancel'),
    undo: post('/changes/undo'),
  },
  activity: {
    list: get('/providers/me/activity', { takesQuery: true }),
    undo: post('/providers/me/activity/undo'),
  },
  log: {
    proofs: get('/log/proofs/:subject'),
    entries: get('/log/entries', { list: 'entries' }),
    near: get('/log/near', { list: 'names' }),
    dispute: post('/log/entries/:index/dispute'),
  },
  search: {
    find: get('/search', { takesQuery: true }),
  },
  account: {
    attention: get('/providers/me/attention'),
    usage: get('/providers/me/usage'),
    verifications: get('/providers/me/verifications', { list: 'verifications' }),
    verificationsByDay: get('/providers/me/verifications/daily', { takesQuery: true }),
    events: get('/providers/me/events', { list: 'events' }),
    notifications: get('/providers/me/notifications'),
    setNotifications: put('/providers/me/notifications'),
    deleteMe: del('/me', { takesBody: true }),
    changeEmail: post('/me/email'),
    confirmEmail: put('/me/email'),
    restoreEmail: post('/auth/email/restore'),
  },
  auth: {
    checkDomain: post('/providers/check-domain'),
    sendVerification: post('/providers/send-verification'),
    verifyEmail: post('/providers/verify-email'),
    register: post('/auth/email/register'),
    login: post('/auth/email/login'),
    verify: post('/auth/email/verify'),
    setPassword: post('/auth/password/set'),
    passwordAccount: post('/auth/password/account'),
    forgotPassword: post('/auth/password/forgot'),
    changePassword: post('/auth/password/change'),
    signOut: post('/auth/sign-out'),
    sessions: get('/auth/sessions'),
    revokeSession: del('/auth/sessions/:id'),
    exchange: post('/auth/exchange'),
    identities: get('/auth/identities'),
    startLink: post('/auth/identities/link'),
    unlink: del('/auth/identities/:provider'),
  },
  signing: {
    jwks: { method: 'GET', path: '/.well-known/jwks.json' },
  },
} as const satisfies Record<string, Record<string, Route>>
