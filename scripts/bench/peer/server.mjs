// oidc-provider as in its documentation. Its store is in memory or, with STORE set, a SQLite file in which each token is durable
// before it is returned.
import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import Sqlite from 'better-sqlite3'
import { Provider } from 'oidc-provider'

/** The part of the adapter interface that opaque access tokens use. */
const createSqliteAdapter = (file) => {
  const database = new Sqlite(file)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.exec('create table tokens (id text primary key, payload text, expires_at integer)')
  const insert = database.prepare('insert or replace into tokens values (?, ?, ?)')
  const select = database.prepare('select payload from tokens where id = ?')
  return class {
    constructor(model) {
      this.model = model
    }
    async upsert(id, payload, expiresIn) {
      insert.run(`${this.model}:${id}`, JSON.stringify(payload), Date.now() + expiresIn * 1_000)
    }
    async find(id) {
      const row = select.get(`${this.model}:${id}`)
      return row && JSON.parse(row.payload)
    }
    async consume() {}
    async destroy() {}
  }
}

const { privateKey } = generateKeyPairSync('ed25519')
const key = {
  ...createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' })).export({ format: 'jwk' }),
  alg: 'EdDSA',
  use: 'sig',
  kid: 'bench',
}
const clients = JSON.parse(process.env.CLIENTS).map(({ id, secret }) => ({
  client_id: id,
  client_secret: secret,
  grant_types: ['client_credentials'],
  redirect_uris: [],
  response_types: [],
  token_endpoint_auth_method: 'client_secret_post',
  id_token_signed_response_alg: 'EdDSA',
}))

const provider = new Provider(process.env.PUBLIC_URL, {
  ...(process.env.STORE && { adapter: createSqliteAdapter(process.env.STORE) }),
  clients,
  jwks: { keys: [key] },
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    introspection: { enabled: true },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: (_context, indicator) => ({
        scope: 'mint',
        accessTokenTTL: 900,
        accessTokenFormat: indicator.endsWith('/jwt') ? 'jwt' : 'opaque',
        jwt: { sign: { alg: 'EdDSA' } },
      }),
    },
  },
  ttl: { ClientCredentials: 900 },
})
provider.proxy = true
provider.listen(Number(process.env.PORT), '127.0.0.1')
