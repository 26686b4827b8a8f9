import { createClient } from '@countersign/sdk'
import { createVerifier, policy } from '@countersign/sdk/verify'

/** Passed to a program in any runtime, as JSON. */
export interface Brief {
  issuer: string
  link: string
  token: string
  jwks: { keys: never[] }
  /** Milliseconds since 1970. */
  now: number
  vectors: {
    issuer: string
    now: string
    clock_tolerance_seconds: number
    jwks: { keys: never[] }
    good: Vector[]
    bad: Vector[]
  }
}
interface Vector {
  name: string
  token: string
}

/** The packages' verdicts on one real link and on all vectors, in the current runtime. */
export const judge = async ({ issuer, link, token, jwks, now, vectors }: Brief) => {
  const offline = await createVerifier({ issuer, jwks, now: () => now }).verify(token)
  const online = await createVerifier({ issuer, now: () => now }).verify(token)
  const live = await createClient({ baseURL: issuer, maxRetries: 0 }).verifications.check(link)
  const isAllowed = policy({ issuer, providers: ['acme.example'], maxAgeSeconds: 900, now: () => now })
  const verifier = createVerifier({
    issuer: vectors.issuer,
    jwks: vectors.jwks,
    clockToleranceSeconds: vectors.clock_tolerance_seconds,
    now: () => Date.parse(vectors.now),
  })
  const verdicts: Record<string, string> = {}
  for (const vector of [...vectors.good, ...vectors.bad]) {
    const verdict = await verifier.verify(vector.token)
    verdicts[vector.name] = verdict.result === 'verified' ? 'verified' : verdict.reason
  }
  return {
    results: { offline: offline.result, online: online.result, live: live.result },
    allowed: [offline, online, live].map((verdict) => isAllowed(verdict).allowed),
    verdicts,
  }
}
