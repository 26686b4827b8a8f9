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
  /** The body is one file as `multipart/form-data` in the field `file`. */
  upload?: true
  /** A POST that creates: accepts `Idempotency-Key`. `secret`: the answer holds a secret and is never stored. */
  idempotent?: 'stored' | 'secret'
}

/** Method and path of every endpoint, without schemas. */
export const routes = {
  verifications: {
    create: { method: 'POST', path: '/api/v1/create-verification' },
    get: { method: 'GET', path: '/api/v1/verify/:token' },
    opened: { method: 'POST', path: '/api/v1/verify/:token/opened' },
    inspect: { method: 'GET', path: '/api/v1/jwt/verify/:token' },
    bind: { method: 'POST', path: '/api/v1/jwt/:token/bind-response' },
  },
  providers: {
    register: { method: 'POST', path: '/api/v1/providers/register', idempotent: 'secret' },
    me: { method: 'GET', path: '/api/v1/providers/me' },
    verifyDomain: { method: 'POST', path: '/api/v1/providers/me/verify-domain' },
    update: { method: 'PATCH', path: '/api/v1/providers/:id' },
    setProfile: { method: 'PUT', path: '/api/v1/providers/:id/profile' },
    setCompliance: { method: 'PUT', path: '/api/v1/providers/:id/compliance' },
    setVisibility: { method: 'PUT', path: '/api/v1/providers/:id/visibility' },
    uploadLogo: { method: 'POST', path: '/api/v1/providers/:id/upload-logo', upload: true },
    deleteLogo: { method: 'DELETE', path: '/api/v1/providers/:id/logo' },
    deactivate: { method: 'POST', path: '/api/v1/providers/:id/deactivate' },
    reactivate: { method: 'POST', path: '/api/v1/providers/:id/reactivate' },
    delete: { method: 'DELETE', path: '/api/v1/providers/:id' },
    list: { method: 'GET', path: '/api/v1/providers/public', list: 'providers' },
    get: { method: 'GET', path: '/api/v1/providers/:id/public' },
    getPrivate: { method: 'GET', path: '/api/v1/providers/:id/private' },
    models: { method: 'GET', path: '/api/v1/providers/:id/models', list: 'models' },
  },
  domains: {
    list: { method: 'GET', path: '/api/v1/providers/me/domains' },
    add: { method: 'POST', path: '/api/v1/providers/me/domains', idempotent: 'stored' },
    verify: { method: 'POST', path: '/api/v1/providers/me/domains/:domain/verify' },
    remove: { method: 'DELETE', path: '/api/v1/providers/me/domains/:domain' },
    makePrimary: { method: 'PUT', path: '/api/v1/providers/me/domains/:domain/primary' },
  },
  models: {
    register: { method: 'POST', path: '/api/v1/models/register', idempotent: 'stored' },
    list: { method: 'GET', path: '/api/v1/models/public', list: 'models' },
    get: { method: 'GET', path: '/api/v1/models/:id/public' },
    archive: { method: 'POST', path: '/api/v1/models/:id/archive' },
    putArchive: { method: 'PUT', path: '/api/v1/models/:id/archive' },
    unarchive: { method: 'PUT', path: '/api/v1/models/:id/unarchive' },
    quickEdit: { method: 'PATCH', path: '/api/v1/models/:id/quick-edit' },
    history: { method: 'GET', path: '/api/v1/models/:id/history' },
    setVisibility: { method: 'PUT', path: '/api/v1/models/:id/visibility' },
    latest: { method: 'GET', path: '/api/v1/models/:id/latest' },
    files: { method: 'GET', path: '/api/v1/models/:id/files', list: 'files' },
    health: { method: 'GET', path: '/api/v1/models/:id/health' },
    setHealth: { method: 'PUT', path: '/api/v1/models/:id/health' },
    communityStats: { method: 'GET', path: '/api/v1/models/:id/community-stats' },
    syncHuggingface: { method: 'POST', path: '/api/v1/models/:id/sync-huggingface' },
    allowDeployment: { method: 'POST', path: '/api/v1/models/:id/allow-deployment', idempotent: 'stored' },
    deployments: { method: 'GET', path: '/api/v1/models/:id/deployments', list: 'deployments' },
    countDeployments: { method: 'GET', path: '/api/v1/models/:id/deployments/count' },
    revokeDeployment: { method: 'DELETE', path: '/api/v1/models/:id/deployments/:deployment_id' },
  },
  bundles: {
    verify: { method: 'POST', path: '/api/v1/models/:id/verify-bundle' },
    upload: { method: 'PUT', path: '/api/v1/models/:id/bundle' },
    status: { method: 'GET', path: '/api/v1/models/:id/bundle-status' },
  },
  signers: {
    list: { method: 'GET', path: '/api/v1/providers/me/signers', list: 'signers' },
    declare: { method: 'POST', path: '/api/v1/providers/me/signers', idempotent: 'stored' },
    challenge: { method: 'POST', path: '/api/v1/providers/me/signers/:id/challenge' },
    prove: { method: 'POST', path: '/api/v1/providers/me/signers/:id/prove' },
    withdraw: { method: 'DELETE', path: '/api/v1/providers/me/signers/:id' },
  },
  deployments: {
    register: { method: 'POST', path: '/api/v1/deployments/register', idempotent: 'stored' },
    list: { method: 'GET', path: '/api/v1/deployments', list: 'deployments' },
    setStatus: { method: 'PUT', path: '/api/v1/deployments/:id/status' },
    delete: { method: 'DELETE', path: '/api/v1/deployments/:id' },
  },
  incidents: {
    report: { method: 'POST', path: '/api/v1/incidents/report', idempotent: 'stored' },
    list: { method: 'GET', path: '/api/v1/providers/me/incidents', list: 'incidents' },
    get: { method: 'GET', path: '/api/v1/incidents/:id' },
    respond: { method: 'PUT', path: '/api/v1/incidents/:id/respond' },
  },
  keys: {
    list: { method: 'GET', path: '/api/v1/providers/me/api-keys' },
    create: { method: 'POST', path: '/api/v1/providers/me/api-keys', idempotent: 'secret' },
    revoke: { method: 'DELETE', path: '/api/v1/providers/me/api-keys/:id' },
    compromise: { method: 'POST', path: '/api/v1/providers/me/api-keys/:id/compromised' },
    reviews: { method: 'GET', path: '/api/v1/providers/me/key-reviews' },
    review: { method: 'POST', path: '/api/v1/providers/me/key-reviews/:id' },
  },
  publishers: {
    list: { method: 'GET', path: '/api/v1/providers/me/publishers' },
    add: { method: 'POST', path: '/api/v1/providers/me/publishers', idempotent: 'stored' },
    remove: { method: 'DELETE', path: '/api/v1/providers/me/publishers/:id' },
    exchange: { method: 'POST', path: '/api/v1/auth/oidc/token' },
  },
  workloads: {
    list: { method: 'GET', path: '/api/v1/providers/me/workloads' },
    trust: { method: 'POST', path: '/api/v1/providers/me/workloads', idempotent: 'stored' },
    remove: { method: 'DELETE', path: '/api/v1/providers/me/workloads/:id' },
    exchange: { method: 'POST', path: '/api/v1/auth/workload/token' },
  },
  members: {
    list: { method: 'GET', path: '/api/v1/providers/me/members' },
    invite: { method: 'POST', path: '/api/v1/providers/me/invitations' },
    withdraw: { method: 'DELETE', path: '/api/v1/providers/me/invitations/:id' },
    setRole: { method: 'PUT', path: '/api/v1/providers/me/members/:id' },
    remove: { method: 'POST', path: '/api/v1/providers/me/members/:id' },
    preview: { method: 'POST', path: '/api/v1/auth/invitations' },
    accept: { method: 'PUT', path: '/api/v1/auth/invitations' },
    providers: { method: 'GET', path: '/api/v1/auth/providers' },
    use: { method: 'POST', path: '/api/v1/auth/providers/:id/use' },
  },
  factors: {
    list: { method: 'GET', path: '/api/v1/me/factors' },
    sendCode: { method: 'POST', path: '/api/v1/me/factors/code' },
    begin: { method: 'POST', path: '/api/v1/me/factors/challenge' },
    add: { method: 'POST', path: '/api/v1/me/factors' },
    rename: { method: 'PUT', path: '/api/v1/me/factors/:id' },
    remove: { method: 'DELETE', path: '/api/v1/me/factors/:id' },
    renewCodes: { method: 'POST', path: '/api/v1/me/recovery-codes' },
    beginProof: { method: 'POST', path: '/api/v1/me/presence/challenge' },
    prove: { method: 'POST', path: '/api/v1/me/presence' },
    beginSignIn: { method: 'POST', path: '/api/v1/auth/passkey/challenge' },
    signIn: { method: 'POST', path: '/api/v1/auth/passkey' },
    beginRecovery: { method: 'POST', path: '/api/v1/auth/recovery' },
    recover: { method: 'PUT', path: '/api/v1/auth/recovery' },
    cancelRecovery: { method: 'DELETE', path: '/api/v1/me/recovery' },
  },
  devices: {
    begin: { method: 'POST', path: '/api/v1/auth/device' },
    token: { method: 'POST', path: '/api/v1/auth/device/token' },
    find: { method: 'POST', path: '/api/v1/me/device' },
    approve: { method: 'POST', path: '/api/v1/me/device/approve' },
    deny: { method: 'POST', path: '/api/v1/me/device/deny' },
  },
  changes: {
    list: { method: 'GET', path: '/api/v1/providers/me/changes' },
    get: { method: 'GET', path: '/api/v1/providers/me/changes/:id' },
    approve: { method: 'POST', path: '/api/v1/providers/me/changes/:id/approve' },
    reject: { method: 'POST', path: '/api/v1/providers/me/changes/:id/reject' },
    cancel: { method: 'POST', path: '/api/v1/providers/me/changes/:id/cancel' },
    undo: { method: 'POST', path: '/api/v1/changes/undo' },
  },
  log: {
    proofs: { method: 'GET', path: '/api/v1/log/proofs/:subject' },
    entries: { method: 'GET', path: '/api/v1/log/entries', list: 'entries' },
    dispute: { method: 'POST', path: '/api/v1/log/entries/:index/dispute' },
  },
  search: {
    find: { method: 'GET', path: '/api/v1/search', takesQuery: true },
  },
  account: {
    attention: { method: 'GET', path: '/api/v1/providers/me/attention' },
    usage: { method: 'GET', path: '/api/v1/providers/me/usage' },
    verifications: { method: 'GET', path: '/api/v1/providers/me/verifications', list: 'verifications' },
    verificationsByDay: { method: 'GET', path: '/api/v1/providers/me/verifications/daily', takesQuery: true },
    events: { method: 'GET', path: '/api/v1/providers/me/events', list: 'events' },
    notifications: { method: 'GET', path: '/api/v1/providers/me/notifications' },
    setNotifications: { method: 'PUT', path: '/api/v1/providers/me/notifications' },
    deleteMe: { method: 'DELETE', path: '/api/v1/me' },
    changeEmail: { method: 'POST', path: '/api/v1/me/email' },
    confirmEmail: { method: 'PUT', path: '/api/v1/me/email' },
    restoreEmail: { method: 'POST', path: '/api/v1/auth/email/restore' },
  },
  auth: {
    checkDomain: { method: 'POST', path: '/api/v1/providers/check-domain' },
    sendVerification: { method: 'POST', path: '/api/v1/providers/send-verification' },
    verifyEmail: { method: 'POST', path: '/api/v1/providers/verify-email' },
    register: { method: 'POST', path: '/api/v1/auth/email/register' },
    login: { method: 'POST', path: '/api/v1/auth/email/login' },
    verify: { method: 'POST', path: '/api/v1/auth/email/verify' },
    setPassword: { method: 'POST', path: '/api/v1/auth/password/set' },
    passwordAccount: { method: 'POST', path: '/api/v1/auth/password/account' },
    forgotPassword: { method: 'POST', path: '/api/v1/auth/password/forgot' },
    changePassword: { method: 'POST', path: '/api/v1/auth/password/change' },
    signOut: { method: 'POST', path: '/api/v1/auth/sign-out' },
    sessions: { method: 'GET', path: '/api/v1/auth/sessions' },
    revokeSession: { method: 'DELETE', path: '/api/v1/auth/sessions/:id' },
    exchange: { method: 'POST', path: '/api/v1/auth/exchange' },
    identities: { method: 'GET', path: '/api/v1/auth/identities' },
    startLink: { method: 'POST', path: '/api/v1/auth/identities/link' },
    unlink: { method: 'DELETE', path: '/api/v1/auth/identities/:provider' },
  },
  signing: {
    jwks: { method: 'GET', path: '/.well-known/jwks.json' },
  },
} as const satisfies Record<string, Record<string, Route>>
