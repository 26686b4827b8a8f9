import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { Provider } from 'oidc-provider'

export type Claims = Record<string, unknown>

/** The claims of a job of GitHub Actions: a push to the main branch of acme/models. */
export const githubJob = (changes: Claims = {}): Claims => ({
  repository: 'acme/models',
  repository_id: '740112233',
  repository_owner: 'acme',
  repository_owner_id: '9001',
  ref: 'refs/heads/main',
  ref_type: 'branch',
  sha: 'a'.repeat(40),
  event_name: 'push',
  workflow_ref: 'acme/models/.github/workflows/release.yml@refs/heads/main',
  job_workflow_ref: 'acme/models/.github/workflows/release.yml@refs/heads/main',
  run_id: '8123456789',
  run_attempt: '1',
  ...changes,
})

/** The claims of a job of GitLab: a push to the main branch of acme/models, on the host of the issuer. */
export const gitlabJob = (issuer: string, changes: Claims = {}): Claims => ({
  project_path: 'acme/models',
  project_id: '5577',
  namespace_path: 'acme',
  namespace_id: '33',
  ref: 'main',
  ref_type: 'branch',
  ref_path: 'refs/heads/main',
  pipeline_source: 'push',
  ci_config_ref_uri: `${new URL(issuer).host}/acme/models//.gitlab-ci.yml@refs/heads/main`,
  pipeline_id: '71',
  job_id: '902',
  ...changes,
})

/** It only issues tokens and never reads them again. */
const keepNothing = () => ({ upsert: async () => {}, find: async () => undefined, destroy: async () => {} })

const createKey = () => ({
  kid: randomBytes(8).toString('hex'),
  privateKey: generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey,
})
const sharedKey = createKey()

/**
 * A certified OpenID provider on loopback, instead of the issuer of a CI service. A job requests a token as in GitHub
 * Actions: from an address, with a bearer token.
 */
export const startCiIssuer = async () => {
  const client = { id: 'job', secret: randomBytes(16).toString('hex') }
  const requestToken = randomBytes(16).toString('hex')
  let key = sharedKey
  let job: Claims = githubJob()
  let provider: Provider | undefined
  let isDown = false
  const requests: string[] = []

  const create = () =>
    new Provider(issuer, {
      clients: [
        {
          client_id: client.id,
          client_secret: client.secret,
          grant_types: ['client_credentials'],
          redirect_uris: [],
          response_types: [],
        },
      ],
      jwks: { keys: [{ ...key.privateKey.export({ format: 'jwk' }), kid: key.kid, use: 'sig', alg: 'RS256' }] },
      cookies: { keys: [client.secret] },
      adapter: keepNothing,
      ttl: { ClientCredentials: 300 },
      features: {
        devInteractions: { enabled: false },
        clientCredentials: { enabled: true },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: (_: unknown, audience: string) => ({
            scope: '',
            audience,
            accessTokenFormat: 'jwt',
            accessTokenTTL: 300,
            jwt: { sign: { alg: 'RS256' } },
          }),
        },
      },
      extraTokenClaims: () => job,
    })

  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    if (isDown) {
      response.writeHead(503).end()
      return
    }
    const url = new URL(request.url ?? '', issuer)
    if (url.pathname === '/job/token')
      return void answerJob(url.searchParams.get('audience') ?? '', request.headers.authorization, response)
    provider ??= create()
    provider.callback()(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.')
  const hostAndPort = `127.0.0.1:${address.port}`
  const issuer = `http://${hostAndPort}`

  const answerJob = async (
    audience: string,
    authorization: string | undefined,
    response: import('node:http').ServerResponse,
  ) => {
    if (authorization !== `bearer ${requestToken}`) return void response.writeHead(401).end()
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify({ value: await tokenOf(audience) }))
  }

  const tokenOf = async (audience: string): Promise<string> => {
    const reply = await fetch(`${issuer}/token`, {
      method: 'POST',
      headers: { Authorization: `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', resource: audience }),
    })
    const { access_token, ...rest } = (await reply.json()) as Record<string, unknown>
    if (typeof access_token !== 'string') throw new Error(JSON.stringify(rest))
    return access_token
  }

  return {
    issuer,
    hostAndPort,
    get kid() {
      return key.kid
    },
    get signingKey() {
      return key.privateKey
    },
    /** Every requested path. */
    requests,
    /** A token that the issuer makes for a job. */
    token: (audience: string, claims: Claims = githubJob()) => {
      job = claims
      return tokenOf(audience)
    },
    /** The environment that the runner gives to the commands of a job. */
    environment: (claims: Claims = githubJob()) => {
      job = claims
      return {
        ACTIONS_ID_TOKEN_REQUEST_URL: `${issuer}/job/token?api-version=2`,
        ACTIONS_ID_TOKEN_REQUEST_TOKEN: requestToken,
      }
    },
    /** Replaces its key; the previous one is no longer published. */
    rotate: () => {
      key = createKey()
      provider = undefined
    },
    breakDown: () => {
      isDown = true
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export type CiIssuer = Awaited<ReturnType<typeof startCiIssuer>>

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A forged token, unsigned if no key is given. */
export const forge = (
  header: object,
  claims: object,
  key?: KeyObject,
  makeSignature?: (signed: string) => Buffer,
): string => {
  const signed = `${part(header)}.${part(claims)}`
  const signature = makeSignature
    ? makeSignature(signed)
    : key
      ? sign('sha256', Buffer.from(signed), key)
      : Buffer.alloc(0)
  return `${signed}.${signature.toString('base64url')}`
}
