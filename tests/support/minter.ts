import { randomBytes } from 'node:crypto'
import { createClient, createLinkIssuer } from '@countersign/sdk'
import { createLinkCode } from '../../sdk/src/verify/create-link-code.ts'
import { formatLinkCode } from '../../sdk/src/verify/link-code.ts'

export const ownModel = 'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm'
export const otherModel = 'mdl_06dh0e3x7c9bw4vjz2n8qk5ytn'

type Mood = 'mints' | 'refuses' | 'is silent'

/** A registry that only mints, without a network, with its requests and an issuer that uses it. */
export const createMinter = () => {
  const requests: Record<string, unknown>[] = []
  let mood: Mood = 'mints'
  let aborted = 0
  const silence = Promise.withResolvers<void>()
  const fetch = async (_: unknown, { body, signal }: RequestInit = {}) => {
    requests.push(JSON.parse(String(body)))
    if (mood === 'refuses') return problem()
    if (mood === 'is silent') {
      await new Promise<never>((_, reject) => {
        signal?.addEventListener('abort', () => {
          aborted++
          reject(signal.reason)
        })
        silence.resolve()
      })
    }
    return Response.json(mintedLink(), { status: 201 })
  }
  const client = createClient({
    baseURL: 'https://registry.example',
    apiKey: 'csk_00000000_example',
    fetch,
    maxRetries: 0,
  })
  return {
    /** The received requests. */
    requests,
    issuer: createLinkIssuer({ client, modelId: ownModel }),
    is: (next: Mood) => {
      mood = next
    },
    /** Resolves when a caller waits for a response that is held back. */
    silence: silence.promise,
    /** How many calls were aborted while the response was held back. */
    aborted: () => aborted,
  }
}

const detail = 'The API key was revoked on Tuesday'
const problem = () =>
  Response.json(
    { type: 'about:blank', title: 't', status: 401, detail, code: 'unauthorized' },
    { status: 401, headers: { 'Content-Type': 'application/problem+json' } },
  )

const mintedLink = () => ({
  verification_id: 'vrf_06dh0e3x7c9bw4vjz2n8qk5ytm',
  verification_url: `https://registry.example/v/${formatLinkCode(createLinkCode(Date.now(), randomBytes(8)))}`,
  token: 'eyJ.secret.token',
  bound_token: null,
  response_hash: null,
  expires_in: 900,
  expires_at: new Date(Date.now() + 900_000).toISOString(),
  deployment_id: null,
  deployment_binding: null,
  model_digest: null,
  bundle_status: 'unknown',
  warnings: [],
})
