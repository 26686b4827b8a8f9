// oidc-provider as in its documentation, with its in-memory store: it writes nothing to disk.
import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { Provider } from 'oidc-provider'

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
