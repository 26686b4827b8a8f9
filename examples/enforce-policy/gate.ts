import { readFileSync } from 'node:fs'
import type { Countersign } from '@countersign/sdk'
import { hashResponse, type PolicyConfig, policy } from '@countersign/sdk/verify'

/** The answer and link that another company's AI sent. */
export interface Offer {
  answer: string
  link: string
}

/** The reasons not to trust an offer; empty if it is trusted. */
export type Gate = (offer: Offer, challenge: string) => Promise<string[]>

/** The rules are in a file, so that you can change them without reading code. An unknown rule throws when the program starts. */
export const createGate = (client: Pick<Countersign, 'verifications'>): Gate => {
  const rules: PolicyConfig = JSON.parse(readFileSync(new URL('policy.json', import.meta.url), 'utf8'))
  const decide = policy(rules)
  return async ({ answer, link }, challenge) => {
    // We chose a new phrase, so a link from another conversation does not carry it.
    const verdict = await client.verifications.check(link, { expect: { challenge } })
    const { allowed, violations } = decide(verdict)
    if (!allowed || verdict.result !== 'verified') return violations.map(({ rule, message }) => `${rule}: ${message}`)
    // The provider vouches only for the answer that it bound to the link.
    const bound = verdict.verification.bound_answer
    const isSame = bound?.bound_by === 'provider' && bound.response_hash === (await hashResponse(answer))
    return isSame ? [] : ['answer: the provider did not bind this answer to the link']
  }
}
