// Without zod, so that the verifier may read it too.

/** How long verifiers may keep the registry's key set. */
export const jwksMaxAgeSeconds = 300
