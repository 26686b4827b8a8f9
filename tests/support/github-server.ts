import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

export interface GithubUser {
  id: number
  login: string
  emails: readonly { email: string; primary: boolean; verified: boolean; visibility: string | null }[]
}

interface Grant {
  user: GithubUser
  redirectUri: string
  challenge: string
}

/** OAuth 2 as GitHub speaks it: errors of the token endpoint come with status 200, and the issuer is named on the way back. */
export const startGithubServer = async () => {
  const client = { id: 'countersign-test', secret: randomBytes(16).toString('hex') }
  const grants = new Map<string, Grant>()
  const tokens = new Map<string, GithubUser>()
  /** The person at the keyboard; undefined if they decline. */
  let user: GithubUser | undefined
  let redirectUri = ''
  let isDown = false

  const authorize = (query: URLSearchParams, response: ServerResponse) => {
    const redirect = query.get('redirect_uri')
    const challenge = query.get('code_challenge')
    if (query.get('client_id') !== client.id || redirect !== redirectUri)
      return sendJson(response, { error: 'redirect_uri_mismatch' }, 404)
    if (!challenge || query.get('code_challenge_method') !== 'S256')
      return sendJson(response, { error: 'invalid_request' }, 400)
    const back = new URL(redirect)
    if (user) {
      const code = randomBytes(10).toString('hex')
      grants.set(code, { user, redirectUri: redirect, challenge })
      back.searchParams.set('code', code)
    } else {
      back.searchParams.set('error', 'access_denied')
      back.searchParams.set('error_description', 'The user has denied your application access.')
    }
    back.searchParams.set('state', query.get('state') ?? '')
    back.searchParams.set('iss', `${url}/login/oauth`)
    response.writeHead(302, { Location: back.href }).end()
  }

  const exchange = async (request: IncomingMessage, response: ServerResponse) => {
    const form = new URLSearchParams(await textOf(request))
    const grant = grants.get(form.get('code') ?? '')
    grants.delete(form.get('code') ?? '')
    if (form.get('client_id') !== client.id || form.get('client_secret') !== client.secret)
      return sendJson(response, { error: 'incorrect_client_credentials' })
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (!grant || grant.redirectUri !== form.get('redirect_uri') || grant.challenge !== challenge)
      return sendJson(response, {
        error: 'bad_verification_code',
        error_description: 'The code passed is incorrect or expired.',
      })
    const token = `gho_${randomBytes(18).toString('hex')}`
    tokens.set(token, grant.user)
    sendJson(response, { access_token: token, token_type: 'bearer', scope: 'user:email' })
  }

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', url)
    if (isDown) return sendJson(response, { message: 'Unicorn' }, 503)
    if (pathname === '/login/oauth/authorize') return authorize(searchParams, response)
    if (pathname === '/login/oauth/access_token' && request.method === 'POST') return exchange(request, response)
    const known = tokens.get(/^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '')
    if (!known) return sendJson(response, { message: 'Bad credentials' }, 401)
    if (pathname === '/user') return sendJson(response, { id: known.id, login: known.login, email: null, type: 'User' })
    if (pathname === '/user/emails') return sendJson(response, known.emails)
    sendJson(response, { message: 'Not Found' }, 404)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const url = `http://127.0.0.1:${port}`

  return {
    url,
    hostAndPort: `127.0.0.1:${port}`,
    client,
    /** Registers the only allowed redirect address. */
    register: (uri: string) => {
      redirectUri = uri
    },
    /** The person who signs in from now on; undefined if they decline. */
    be: (next: GithubUser | undefined) => {
      user = next
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

const sendJson = (response: ServerResponse, body: unknown, status = 200) => {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
}

const textOf = async (request: IncomingMessage) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
