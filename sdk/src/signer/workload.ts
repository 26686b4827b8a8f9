import { checkOptions, type OptionForms } from '../verify/check-options.ts'
import { base64, hex, sha256 } from './bytes.ts'
import { requestSigner } from './request-signer.ts'

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

/** Options of `workloadSigner`. */
export interface WorkloadSignerOptions {
  /** The registry’s public address. */
  registry: string
  /** The provider that trusts the workload (`prv_…`). */
  providerId: string
  /**
   * A new identity token of the platform, for this audience: the registry’s address, `/keys/` and the fingerprint of the fresh key, so that
   * the token is useless with another key. If the platform’s audience is fixed, let it be the registry’s address. Called about once an hour.
   */
  token: (audience: string) => Promise<string> | string
  /** Sends the requests; the global `fetch` by default. */
  fetch?: Fetch | undefined
  /** Milliseconds since 1970; `Date.now` by default. */
  now?: (() => number) | undefined
}

const optionForms: OptionForms<WorkloadSignerOptions> = {
  registry: 'the registry’s address',
  providerId: 'the ID of the provider, prv_…',
  token: 'a function that gets a token of the platform',
  fetch: true,
  now: true,
}

interface Turn {
  apiKey: string
  fetch: Fetch
  endsAt: number
}

/** Before the key expires. */
const earlyMs = 300_000

/**
 * A `fetch` for a server without a stored key: it exchanges the platform's identity token and a fresh key for an hour, adds the
 * access token to each request, and signs mint requests. Give it to the client, without an API key. If the exchange is
 * rejected, its response stands for that of the request, so the client throws it as an `ApiError`.
 *
 * @returns The `fetch` for `createClient`.
 * @throws `TypeError` for an unknown option, and without `registry`, `providerId` or `token`.
 * @example
 * ```ts
 * const fetch = workloadSigner({
 *   registry: 'https://registry.example',
 *   providerId: 'prv_06dh0e3x7c9bw4vjz2n8qk5ytm',
 *   token: async (audience) => (await globalThis.fetch(`http://metadata.acme.example/token?audience=${audience}`)).text(),
 * })
 * const client = createClient({ baseURL: 'https://registry.example', fetch })
 * ```
 */
export const workloadSigner = (options: WorkloadSignerOptions): Fetch => {
  checkOptions('workloadSigner', options, optionForms)
  const { registry, providerId, token, now = Date.now } = options
  const { fetch = (input, init) => globalThis.fetch(input, init) } = options
  let turn: Promise<Turn | Response> | undefined
  const begin = async (): Promise<Turn | Response> => {
    const key = (await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, [
      'sign',
      'verify',
    ])) as CryptoKeyPair
    const spki = new Uint8Array(await crypto.subtle.exportKey('spki', key.publicKey))
    const begun = now()
    const response = await fetch(new URL('/api/v1/auth/workload/token', registry).href, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token: await token(`${new URL(registry).origin}/keys/${hex(await sha256(spki))}`),
        subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
        provider_id: providerId,
        public_key: base64(spki),
      }),
    })
    if (!response.ok) return response
    const { access_token, expires_in } = (await response.json()) as { access_token: string; expires_in: number }
    const endsAt = begun + expires_in * 1_000 - earlyMs
    return { apiKey: access_token, fetch: requestSigner({ key, registry, fetch, now }), endsAt }
  }
  const current = async (): Promise<Turn | Response> => {
    const last = turn
    const found = await last?.catch(() => undefined)
    if (found !== undefined && 'apiKey' in found && now() < found.endsAt) return found
    // Another call may have begun a turn meanwhile.
    if (turn === last) turn = begin()
    return turn ?? begin()
  }
  return async (input, init) => {
    // The access token goes nowhere else.
    const { origin } = new URL(input instanceof Request ? input.url : input)
    if (origin !== new URL(registry).origin) throw new TypeError(`workloadSigner: ${origin} is not the registry`)
    const begun = await current()
    // Requests that wait for the same exchange each read its answer.
    if (!('apiKey' in begun)) return begun.clone()
    const { apiKey, fetch: send } = begun
    const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined))
    headers.set('X-API-Key', apiKey)
    return send(input, { ...init, headers })
  }
}
