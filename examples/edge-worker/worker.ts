// A worker for runtimes whose fetch has no client certificates: Cloudflare Workers, Vercel, Deno, Supabase. It signs its mint
// requests with the deployment's key. POST /link returns a link; GET /health mints one and checks what it proves.
import { createClient, createLinkIssuer } from '@countersign/sdk'
import { requestSigner } from '@countersign/sdk/signer'

export interface Env {
  COUNTERSIGN_API_URL: string
  /** May only mint and check links. */
  COUNTERSIGN_API_KEY: string
  /** PEM (PKCS #8), from the runtime's secret store. */
  DEPLOYMENT_KEY: string
  MODEL_ID: string
}

const start = ({ COUNTERSIGN_API_URL: baseURL, COUNTERSIGN_API_KEY: apiKey, DEPLOYMENT_KEY: key, MODEL_ID }: Env) => {
  const client = createClient({ baseURL, apiKey, fetch: requestSigner({ key }) })
  return { client, issuer: createLinkIssuer({ client, modelId: MODEL_ID }), modelId: MODEL_ID }
}

// The key is read once for each isolate, not for each request.
let started: ReturnType<typeof start> | undefined

/** Mints a link and reads it as a visitor would. */
const checkItself = async ({ client, modelId }: ReturnType<typeof start>): Promise<Response> => {
  try {
    const { token } = await client.verifications.create({ model_id: modelId })
    const { result, strength, deployment_info } = await client.verifications.get(token)
    const isProven = result === 'verified' && strength === 'deployment'
    return Response.json({ result, strength, binding: deployment_info?.binding }, { status: isProven ? 200 : 503 })
  } catch (error) {
    return Response.json({ error: error instanceof Error ? error.message : String(error) }, { status: 503 })
  }
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    started ??= start(env)
    const { pathname } = new URL(request.url)
    if (pathname === '/health') return checkItself(started)
    if (request.method !== 'POST' || pathname !== '/link') return new Response('Not found', { status: 404 })
    // From the session, never from the model's text.
    const session = request.headers.get('x-session')
    if (!session) return new Response('No session', { status: 401 })
    const { url } = await started.issuer.get(session, {})
    return Response.json({ url })
  },
}
