import { readFileSync } from 'node:fs'
import type { Countersign } from '@countersign/sdk'
import { hashResponse, type PolicyConfig, policy } from '@countersign/sdk/verify'

/** What another program's AI sent. */
export interface Offer {
  answer: string
  link: string
}

/** Why an offer is not trusted; nothing where it is. */
export type Gate = (offer: Offer, challenge: string) => Promise<string[]>

/** Rules in a file, so that who decides about trust need not read code. A rule that does not exist throws when the program starts. */
export const createGate = (client: Pick<Countersign, 'verifications'>): Gate => {
  const rules: PolicyConfig = JSON.parse(readFileSync(new URL('policy.json', import.meta.url), 'utf8'))
  const decide = policy(rules)
  return async ({ answer, link }, challenge) => {
    // The phrase was ours, and new: a link from another conversation does not carry it.
    const verdict = await client.verifications.check(link, { expect: { challenge } })
    const { allowed, violations } = decide(verdict)
    if (!allowed || verdict.result !== 'verified') return violations.map(({ rule, message }) => `${rule}: ${message}`)
    // The provider bound an answer to the link; another answer is not the one that it vouches for.
    const bound = verdict.verification.bound_answer
    const isSame = bound?.bound_by === 'provider' && bound.response_hash === (await hashResponse(answer))
    return isSame ? [] : ['answer: the provider did not bind this answer to the link']
  }
}
