import { readFileSync } from 'node:fs'
import { createVerifier } from '@countersign/sdk/verify'
import { startLimit } from './mint.ts'
import type { Server } from './processes.ts'
import type { World } from './world.ts'

type Body = Record<string, unknown>

const bodyOf = async (response: Response, status: number): Promise<Body> => {
  const body = (await response.json()) as Body
  if (response.status !== status)
    throw new Error(`${response.url} answered ${response.status}: ${JSON.stringify(body)}`)
  return body
}

/** Sends the first of the prepared requests through an HTTP client. */
const mint = async ({ port }: Server, world: World) => {
  const [request = ''] = JSON.parse(readFileSync(world.mintRequests, 'utf8')) as string[]
  const [head = '', body = ''] = request.split('\r\n\r\n')
  const named = Object.fromEntries(
    head
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(': ') as [string, string]),
  )
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/create-verification`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-API-Key': named['X-API-Key'] ?? '',
      'X-Client-Cert-Fingerprint': named['X-Client-Cert-Fingerprint'] ?? '',
    },
    body,
  })
  return (await bodyOf(response, 201)) as Body & { token: string; verification_url: string }
}

export const verifyAt = ({ port }: Server, link: string) => fetch(`http://127.0.0.1:${port}/api/v1/verify/${link}`)

export const codeIn = (link: string) => link.slice(link.lastIndexOf('/') + 1)

/** Mints a link and verifies its token with only the published keys. */
export const mintOnce = async (registry: Server, world: World) => {
  const minted = await mint(registry, world)
  const jwks = await (await fetch(`http://127.0.0.1:${registry.port}/.well-known/jwks.json`)).json()
  const verdict = await createVerifier({ issuer: world.issuer, jwks }).verify(minted.token)
  if (verdict.result !== 'verified')
    throw new Error(`The token is ${verdict.result}: ${JSON.stringify(verdict.checks)}`)
  return { ...minted, jwks: jwks as Body, claims: verdict.claims }
}

const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value !== 'object' || value === null) return value === null ? null : typeof value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]))
}

const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

/** Without times and places in the log. */
const timeless = (body: Body) =>
  JSON.stringify({ ...body, log: null }).replace(/"checked_at":"[^"]*"/g, '"checked_at":"now"')

const assertAlike = (what: string, ours: unknown, theirs: unknown) => {
  if (JSON.stringify(ours) !== JSON.stringify(theirs))
    throw new Error(`${what} differ:\n${JSON.stringify(ours)}\n${JSON.stringify(theirs)}`)
}

/**
 * Runs the registry and the bare server on one database. Their links and tokens must have the same form, and each must return
 * the same verdict on what the other issued. Returns how many fields were compared.
 */
export const checkSameAnswers = async (world: World): Promise<number> => {
  const copy = world.copy('answers')
  const registry = await world.startRegistry(copy)
  const limit = await startLimit(world, copy)
  try {
    const [ours, theirs] = [await mintOnce(registry, world), await mint(limit, world)]
    const { jwks: _, claims, ...answer } = ours
    assertAlike('Mint responses', shapeOf(answer), shapeOf(theirs))
    assertAlike('Claims', shapeOf(claims), shapeOf(claimsOf(theirs.token)))
    let fields = Object.keys(answer).length + Object.keys(claims).length
    for (const { token, verification_url } of [ours, theirs]) {
      for (const link of [token, codeIn(verification_url)]) {
        const [one, other] = [
          await bodyOf(await verifyAt(registry, link), 200),
          await bodyOf(await verifyAt(limit, link), 200),
        ]
        assertAlike('Verdicts', timeless(one), timeless(other))
        fields += Object.keys(one).length
      }
    }
    return fields
  } finally {
    await Promise.all([registry.kill(), limit.kill()])
  }
}
