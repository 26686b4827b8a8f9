import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'of-jobs', use: 'sig', alg: 'ES256' }
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A minimal issuer of CI jobs: a discovery document, one key, and tokens. */
export const startJobIssuer = async (now: () => number) => {
  const server = createServer((request, response) => {
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify(request.url === '/keys' ? { keys: [jwk] } : { issuer, jwks_uri: `${issuer}/keys` }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.')
  const hostAndPort = `127.0.0.1:${address.port}`
  const issuer = `http://${hostAndPort}`
  return {
    issuer,
    hostAndPort,
    /** Its signing key, for tokens that it would not make itself. */
    signingKey: { kid: jwk.kid, privateKey, publicKey },
    /** Makes a token for a job, dated now. */
    vouch: (audience: string, claims: object): string => {
      const iat = Math.floor(now() / 1_000)
      const signed = `${part({ alg: 'ES256', kid: jwk.kid })}.${part({ iss: issuer, aud: audience, jti: randomUUID(), iat, exp: iat + 300, ...claims })}`
      return `${signed}.${sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
