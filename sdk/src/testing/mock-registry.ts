import type { Binding } from '../contract/deployments.ts'
import { refusalsOf } from '../contract/endpoint.ts'
import { type ErrorCode, Refusal } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import type { Change, NewVerification, Verification } from '../contract/verifications.ts'
import { createLinkCode } from '../verify/create-link-code.ts'
import { hashResponse } from '../verify/hash-response.ts'
import { formatLinkCode } from '../verify/link-code.ts'
import {
  type AnyAnswer,
  createDoor,
  LaterRefusal,
  type MockAnswer,
  type MockRequest,
  type RowName,
  rowNamed,
} from './mock-door.ts'
import { createLinks, type MockModel, type MockProvider } from './mock-links.ts'
import { createTestId, createTestKey, issueTestToken, testIssuer } from './test-token.ts'

/** Options of `createMockRegistry`. */
export interface MockRegistryOptions {
  /** Its address and the issuer of its tokens, `https://registry.test` by default. Nothing listens there. */
  address?: string | undefined
  /** The provider whose key it accepts; by default `acme.example`, proven. */
  provider?: Partial<MockProvider> | undefined
  /** The one model that links can be minted for. */
  model?: Partial<MockModel> | undefined
  /** How the minting deployment identifies itself; none by default. */
  deployment_binding?: Binding | undefined
  /** Milliseconds since 1970; `Date.now` by default. */
  now?: (() => number) | undefined
}

/** A registry in memory, for tests. */
export interface MockRegistry {
  /** Its address, for `baseURL` and `issuer`. */
  address: string
  /** The key that it accepts. */
  apiKey: string
  /** The model for which links can be minted. */
  model_id: string
  /** The provider of the key. */
  provider_id: string
  /** For `createClient` and `createVerifier`. */
  fetch: typeof globalThis.fetch
  /** Every call that was understood, in order. */
  readonly requests: readonly MockRequest[]
  /**
   * Sets the answer of an endpoint. Missing fields are reported when it is called.
   *
   * @returns Nothing.
   * @example
   * ```ts
   * registry.answer('keys.list', () => ({ keys: [], next_cursor: null }) as never)
   * ```
   */
  answer<Name extends RowName>(row: Name, answer: MockAnswer<Name>): void
  /**
   * Makes the next calls of an endpoint fail.
   *
   * @returns Nothing.
   * @throws `TypeError` for an error that it never returns.
   * @example
   * ```ts
   * registry.refuseNext('verifications.create', 'rate_limited', { retryAfterSeconds: 1 })
   * ```
   */
  refuseNext(row: RowName, code: ErrorCode, options?: { times?: number; retryAfterSeconds?: number }): void
  /**
   * Applies this change to every link; null undoes it.
   *
   * @returns Nothing.
   * @example
   * ```ts
   * registry.change('model_archived')
   * ```
   */
  change(change: Exclude<Change, 'expired'> | null): void
}

/**
 * A small registry in memory, for tests of programs that mint and check links. It validates calls and returns errors by the contract.
 * It has one provider, one model and the endpoints `verifications.create`, `verifications.get` and `signing.jwks`; the test sets the
 * answers of other endpoints. It has no accounts, rate limits, idempotency or deployments, and checks only a link's time and `change`.
 *
 * @returns The {@link MockRegistry}.
 * @example
 * ```ts
 * const registry = await createMockRegistry()
 * const client = createClient({ baseURL: registry.address, fetch: registry.fetch, apiKey: registry.apiKey })
 * ```
 */
export const createMockRegistry = async (options: MockRegistryOptions = {}): Promise<MockRegistry> => {
  const { address: given = testIssuer, now = Date.now, deployment_binding } = options
  const address = given.replace(/\/+$/, '')
  const apiKey = `csk_${createTestId('key').slice(4, 12)}_${createTestId('key').repeat(2)}`
  const key = await createTestKey()
  const links = createLinks({ ...options, address, now })
  const { provider, model } = links
  const requests: MockRequest[] = []
  const refusals: { row: RowName; refusal: Refusal }[] = []

  const mint = async (input: NewVerification): Promise<Verification> => {
    if (input.model_id !== model.id) throw new Refusal('not_found')
    const { deployment } = links
    const verification_id = createTestId('vrf')
    const issue = (response_hash?: string) =>
      issueTestToken(
        {
          iss: address,
          jti: verification_id,
          model_id: model.id,
          provider_id: provider.id,
          provider_domain: provider.domain_verified ? (provider.domain ?? undefined) : undefined,
          model_identifier: model.api_model_identifier,
          version: model.version,
          model_digest: model.model_digest ?? undefined,
          deployment_id: deployment?.deployment_id,
          deployment_binding,
          spki_fingerprint: deployment?.spki_fingerprint,
          workload_issuer: deployment?.workload?.issuer,
          workload_subject: deployment?.workload?.subject,
          challenge: input.challenge,
          origin: input.origin,
          response_hash,
        },
        { key, now },
      )
    const { token, claims } = await issue()
    const response_hash = input.response === undefined ? null : await hashResponse(input.response)
    const bound = response_hash === null ? null : await issue(response_hash)
    const code = createLinkCode(now(), crypto.getRandomValues(new Uint8Array(8)))
    links.keep({ code, tokens: bound === null ? [token] : [token, bound.token], claims: bound?.claims ?? claims })
    return {
      verification_id,
      verification_url: `${address}/v/${formatLinkCode(code)}`,
      token,
      bound_token: bound?.token ?? null,
      response_hash,
      expires_in: limits.tokenLifetimeSeconds,
      expires_at: new Date(claims.exp * 1_000).toISOString(),
      deployment_id: deployment?.deployment_id ?? null,
      deployment_binding: deployment_binding ?? null,
      model_digest: model.model_digest,
      bundle_status: model.bundle_status,
      warnings: [],
    }
  }

  const answers = new Map<RowName, AnyAnswer>()
  const answer = <Name extends RowName>(row: Name, give: MockAnswer<Name>) => {
    rowNamed(row)
    answers.set(row, give as AnyAnswer)
  }
  answer('signing.jwks', () => key.jwks)
  answer('verifications.create', ({ body }) => mint(body))
  answer('verifications.get', ({ params }) => links.read(params.token))

  const note = (call: MockRequest) => {
    requests.push(call)
    const index = refusals.findIndex(({ row }) => row === call.row)
    if (index !== -1) throw refusals.splice(index, 1)[0]?.refusal
  }

  return {
    address,
    apiKey,
    model_id: model.id,
    provider_id: provider.id,
    fetch: createDoor({ address, apiKey, note, answerOf: (row) => answers.get(row) }),
    requests,
    answer,
    refuseNext: (row, code, { times = 1, retryAfterSeconds } = {}) => {
      const possible = refusalsOf(rowNamed(row))
      if (!possible.includes(code))
        throw new TypeError(`${row} cannot be rejected with ${code}, only with ${possible.join(', ')}`)
      const refusal = retryAfterSeconds === undefined ? new Refusal(code) : new LaterRefusal(code, retryAfterSeconds)
      for (let count = 0; count < times; count++) refusals.push({ row, refusal })
    },
    change: links.change,
  }
}
