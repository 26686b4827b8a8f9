import { verify } from 'node:crypto'
import { createVerifier } from '@countersign/sdk/verify'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { measure, median, type Report, ratioOfRounds, rotated, table } from './goal.ts'
import { issueTokens } from './tokens.ts'
import type { World } from './world.ts'

/** More tokens than the verifier caches, so that none is checked twice while it is cached. */
const tokenCount = 4_000
const rounds = 9
const roundMs = 250

interface Way {
  name: string
  check: (index: number) => boolean | Promise<boolean>
}

/** Checks per round. Runs one at a time; synchronous results are not awaited. */
const rateOf = async ({ name, check }: Way, from: number) => {
  const started = performance.now()
  let count = 0
  for (; performance.now() - started < roundMs; count++) {
    const answer = check((from + count) % tokenCount)
    if ((typeof answer === 'boolean' ? answer : await answer) !== true)
      throw new Error(`${name} rejected a valid token.`)
  }
  return { count, rate: (count / (performance.now() - started)) * 1_000 }
}

/** Compares the SDK's verifier, with cached keys, with only the signature check and with jose. */
export const measureOfflineVerify = async ({ issuer }: World): Promise<Report> => {
  const { publicKey, jwks, tokens } = issueTokens(issuer, tokenCount + 1)
  const parts = tokens.map((token) => {
    const end = token.lastIndexOf('.')
    return { signed: Buffer.from(token.slice(0, end)), signature: Buffer.from(token.slice(end + 1), 'base64url') }
  })
  const verifier = createVerifier({ issuer, jwks })
  const keySet = createLocalJWKSet({ keys: jwks.keys.map((key) => ({ ...key })) })
  const ways: Way[] = [
    {
      name: 'SDK, every claim',
      check: async (index) => (await verifier.verify(tokens[index] ?? '')).result === 'verified',
    },
    {
      name: 'crypto.verify alone',
      check: (index) =>
        verify(null, parts[index]?.signed ?? Buffer.alloc(0), publicKey, parts[index]?.signature ?? Buffer.alloc(0)),
    },
    {
      name: 'jose.jwtVerify',
      check: async (index) => {
        const { payload } = await jwtVerify(tokens[index] ?? '', keySet, {
          issuer,
          typ: 'vt+jwt',
          algorithms: ['EdDSA'],
        })
        return payload.iss === issuer
      },
    },
    {
      name: 'SDK, one token again',
      check: async () => (await verifier.verify(tokens[tokenCount] ?? '')).result === 'verified',
    },
  ]
  const found: number[][] = ways.map(() => [])
  const next = ways.map(() => 0)
  for (let round = -2; round < rounds; round++) {
    for (const way of rotated(ways, round + 2)) {
      const index = ways.indexOf(way)
      const { count, rate } = await rateOf(way, next[index] ?? 0)
      next[index] = (next[index] ?? 0) + count
      if (round >= 0) found[index]?.push(rate)
    }
  }
  const [ours = [], raw = [], jose = [], again = []] = found
  return {
    measured: [
      measure(
        { goal: 'G9', name: 'offline verify / crypto.verify', floor: 0.8, target: 0.9 },
        ratioOfRounds(ours, raw),
      ),
      measure(
        { goal: 'G9', name: 'offline verify / jose.jwtVerify', floor: 1.3, target: 1.55 },
        ratioOfRounds(ours, jose),
      ),
      measure(
        { goal: 'G10', name: 'the same token again / crypto.verify', floor: 20, target: 50 },
        ratioOfRounds(again, raw),
      ),
    ],
    details: table(
      ['', 'tokens/s', 'µs each'],
      ways.map(({ name }, index) => [
        name,
        median(found[index] ?? []).toFixed(0),
        (1e6 / median(found[index] ?? [])).toFixed(1),
      ]),
    ),
  }
}
