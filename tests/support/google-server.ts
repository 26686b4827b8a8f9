import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type Context, interactionPolicy, Provider } from 'oidc-provider'

export interface GoogleUser {
  sub: string
  email: string
  email_verified: boolean
}

const listen = async (answer: RequestListener) => {
  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.')
  return { server, hostAndPort: `127.0.0.1:${address.port}` }
}

type Kept = Record<string, unknown> & { uid?: string; grantId?: string; consumed?: number }

/** Stores what the provider has issued, one map per kind. */
const createShelves = () => {
  const stored = new Map<string, Kept>()
  return (kind: string) => {
    const keyOf = (id: string) => `${kind} ${id}`
    const findWhere = (fits: (record: Kept) => boolean) =>
      [...stored].find(([key, record]) => key.startsWith(`${kind} `) && fits(record))?.[1]
    return {
      upsert: async (id: string, record: Kept) => void stored.set(keyOf(id), record),
      find: async (id: string) => stored.get(keyOf(id)),
      findByUid: async (uid: string) => findWhere((record) => record.uid === uid),
      findByUserCode: async () => undefined,
      consume: async (id: string) => {
        const record = stored.get(keyOf(id))
        if (record) record.consumed = Math.floor(Date.now() / 1_000)
      },
      destroy: async (id: string) => void stored.delete(keyOf(id)),
      revokeByGrantId: async (grantId: string) => {
        for (const [key, record] of stored) if (record.grantId === grantId) stored.delete(key)
      },
    }
  }
}

const signingKey = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey.export({ format: 'jwk' })

/** Like Google's, a client may ask for the account chooser even if someone is signed in. */
const policy = interactionPolicy.base()
policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 0)

/** A certified OpenID provider on loopback, in place of Google. */
export const startGoogleServer = async () => {
  const client = { id: 'countersign-test', secret: randomBytes(16).toString('hex') }
  const users = new Map<string, GoogleUser>()
  /** The person at the keyboard; undefined if they decline. */
  let user: GoogleUser | undefined
  let redirectUri = 'http://127.0.0.1/'
  let isDown = false
  let provider: Provider | undefined

  const create = () =>
    new Provider(issuer, {
      clients: [{ client_id: client.id, client_secret: client.secret, redirect_uris: [redirectUri] }],
      pkce: { required: () => true },
      claims: { openid: ['sub'], email: ['email', 'email_verified'] },
      // Google puts the address into the ID token.
      conformIdTokenClaims: false,
      adapter: createShelves(),
      jwks: { keys: [{ ...signingKey, use: 'sig', alg: 'RS256' }] },
      cookies: { keys: [client.secret] },
      features: { devInteractions: { enabled: false } },
      interactions: { policy, url: (_: unknown, { uid }: { uid: string }) => `/keyboard/${uid}` },
      ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
      findAccount: (_: unknown, sub: string) => {
        const found = users.get(sub)
        return found && { accountId: sub, claims: () => found }
      },
      loadExistingGrant: async ({ oidc }: Context) => {
        const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
        grant.addOIDCScope('openid email')
        await grant.save()
        return grant
      },
    })

  const { server, hostAndPort } = await listen(async (request, response) => {
    if (isDown) {
      response.writeHead(503).end()
      return
    }
    provider ??= create()
    if (!request.url?.startsWith('/keyboard/')) return provider.callback()(request, response)
    await provider.interactionFinished(
      request,
      response,
      user
        ? { login: { accountId: user.sub }, select_account: {} }
        : { error: 'access_denied', error_description: 'The person declined.' },
    )
  })
  const issuer = `http://${hostAndPort}`

  return {
    issuer,
    hostAndPort,
    client,
    /** Registers the only allowed redirect address. */
    register: (uri: string) => {
      redirectUri = uri
    },
    /** The person who signs in from now on; undefined if they decline. */
    be: (next: GoogleUser | undefined) => {
      user = next
      if (next) users.set(next.sub, next)
    },
    breakDown: () => {
      isDown = true
    },
    repair: () => {
      isDown = false
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
