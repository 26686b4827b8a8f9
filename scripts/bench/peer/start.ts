import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Server, startServer } from '../processes.ts'
import type { World } from '../world.ts'

/** As many clients as its in-memory store caches. */
const clients = Array.from({ length: 500 }, (_, number) => ({
  id: `client-${number}`,
  secret: randomBytes(32).toString('hex'),
}))

export const startPeer = (world: World): Promise<Server> =>
  startServer(
    'oidc-provider',
    [fileURLToPath(new URL('./server.mjs', import.meta.url))],
    { PUBLIC_URL: world.issuer, CLIENTS: JSON.stringify(clients) },
    world.log('peer'),
  )

/** The peer with a store on the disk of the registry's databases. */
export const startDurablePeer = (world: World): Promise<Server> =>
  startServer(
    'oidc-provider, durable',
    [fileURLToPath(new URL('./server.mjs', import.meta.url))],
    { PUBLIC_URL: world.issuer, CLIENTS: JSON.stringify(clients), STORE: join(world.folder, 'peer.db') },
    world.log('durable-peer'),
  )

const form = (path: string, fields: Record<string, string>) => {
  const body = new URLSearchParams(fields).toString()
  return [
    `POST ${path} HTTP/1.1`,
    'Host: registry.example',
    'X-Forwarded-Proto: https',
    'User-Agent: bench',
    'Accept: application/json',
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n')
}

const credentials = ({ id, secret }: { id: string; secret: string }) => ({ client_id: id, client_secret: secret })

const tokenFields = (kind: 'jwt' | 'opaque', client: { id: string; secret: string }) => ({
  grant_type: 'client_credentials',
  resource: `https://api.example/${kind}`,
  scope: 'mint',
  ...credentials(client),
})

/** File of requests for access tokens: signed JWTs, which the peer does not store, or opaque ones, which it does. */
export const tokenRequests = (world: World, kind: 'jwt' | 'opaque') =>
  world.write(`peer-${kind}.json`, JSON.stringify(clients.map((client) => form('/token', tokenFields(kind, client)))))

/** Gets opaque tokens and prepares requests that introspect them. */
export const introspectionRequests = async (world: World, peer: Server) => {
  const requests: string[] = []
  for (const client of clients) {
    const response = await fetch(`http://127.0.0.1:${peer.port}/token`, {
      method: 'POST',
      headers: { 'X-Forwarded-Proto': 'https' },
      body: new URLSearchParams(tokenFields('opaque', client)),
    })
    const { access_token } = (await response.json()) as { access_token?: string }
    if (access_token === undefined) throw new Error(`oidc-provider issued no token: status ${response.status}`)
    requests.push(
      form('/token/introspection', { token: access_token, token_type_hint: 'access_token', ...credentials(client) }),
    )
  }
  return world.write('peer-introspection.json', JSON.stringify(requests))
}
