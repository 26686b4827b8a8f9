/**
 * Every URL of the API, without schemas, so that a client that only calls stays small.
 * `list` names the field of a paged answer that holds the items.
 */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: `/${string}`
  list?: string
  /** A POST that creates: accepts `Idempotency-Key`. `secret`: the answer holds a secret and is never stored. */
  idempotent?: 'stored' | 'secret'
}

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
    list: { method: 'GET', path: '/api/v1/providers/public', list: 'providers' },
    get: { method: 'GET', path: '/api/v1/providers/:id/public' },
    getPrivate: { method: 'GET', path: '/api/v1/providers/:id/private' },
    models: { method: 'GET', path: '/api/v1/providers/:id/models', list: 'models' },
  },
  models: {
    register: { method: 'POST', path: '/api/v1/models/register', idempotent: 'stored' },
    list: { method: 'GET', path: '/api/v1/models/public', list: 'models' },
    get: { method: 'GET', path: '/api/v1/models/:id/public' },
    archive: { method: 'POST', path: '/api/v1/models/:id/archive' },
    putArchive: { method: 'PUT', path: '/api/v1/models/:id/archive' },
    allowDeployment: { method: 'POST', path: '/api/v1/models/:id/allow-deployment', idempotent: 'stored' },
    deployments: { method: 'GET', path: '/api/v1/models/:id/deployments', list: 'deployments' },
    countDeployments: { method: 'GET', path: '/api/v1/models/:id/deployments/count' },
    revokeDeployment: { method: 'DELETE', path: '/api/v1/models/:id/deployments/:deployment_id' },
  },
  deployments: {
    register: { method: 'POST', path: '/api/v1/deployments/register', idempotent: 'stored' },
    list: { method: 'GET', path: '/api/v1/deployments', list: 'deployments' },
    setStatus: { method: 'PUT', path: '/api/v1/deployments/:id/status' },
    delete: { method: 'DELETE', path: '/api/v1/deployments/:id' },
  },
  signing: {
    jwks: { method: 'GET', path: '/.well-known/jwks.json' },
  },
} as const satisfies Record<string, Record<string, Route>>
