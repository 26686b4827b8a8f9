/** What a token or link must say; exact strings only, and what it does not say does not match. */
export interface Expectation {
  provider_domain?: string
  provider_id?: string
  model_id?: string
  model_digest?: string
  spki_fingerprint?: string
  challenge?: string
  origin?: string
}

const names = {
  provider_domain: true,
  provider_id: true,
  model_id: true,
  model_digest: true,
  spki_fingerprint: true,
  challenge: true,
  origin: true,
} satisfies Record<keyof Expectation, true>

/** Refuses names that nobody compares: a misspelled expectation would always be met. Throws TypeError. */
export const checkExpectation = (expect: Expectation) => {
  const unknown = Object.keys(expect).find((name) => !Object.hasOwn(names, name))
  if (unknown !== undefined) throw new TypeError(`Unknown expectation ${unknown}; there are ${Object.keys(names).join(', ')}`)
}

/** The names of what was expected and is not so. */
export const unmet = (
  expect: Expectation,
  facts: { readonly [Name in keyof Expectation]?: string | null | undefined },
): (keyof Expectation)[] =>
  (Object.keys(names) as (keyof Expectation)[]).filter((name) => expect[name] !== undefined && expect[name] !== facts[name])
