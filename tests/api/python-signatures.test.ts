import { spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { createClient } from '@countersign/sdk'
import { spkiFingerprint } from '@countersign/sdk/node'
import { requestSigner } from '@countersign/sdk/signer'
import { expect, it } from 'vitest'
import { findPython } from '../support/python.ts'
import { createWorld } from '../support/world.ts'

const { program, why } = await findPython()
const skipped = why === undefined ? '' : ` (skipped: ${why})`
const script = fileURLToPath(new URL('http_signatures.py', import.meta.url))

const pairs = {
  ed25519: generateKeyPairSync('ed25519'),
  'ecdsa-p256-sha256': generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  'ecdsa-p384-sha384': generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  'rsa-pss-sha512': generateKeyPairSync('rsa', { modulusLength: 2_048 }),
}
const algorithms = Object.keys(pairs) as (keyof typeof pairs)[]

interface Answers {
  mints: { status: number; answer: Record<string, unknown> }[]
  signed: ('valid' | 'invalid')[]
}

const runPython = async (input: object): Promise<Answers> => {
  const child = spawn(program, [script], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify(input))
  return (await json(child.stdout)) as Answers
}

it.skipIf(why !== undefined)(
  `Python’s http-message-signatures signs requests that mint, and accepts what requestSigner signs${skipped}`,
  { timeout: 60_000 },
  async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const model_id = await acme.registerModel({ require_deployment_proof: true })
    const created = Math.floor(world.clock.now() / 1_000)
    const mints = []
    const signed: { algorithm: string; url: string; headers: object; body: string }[] = []
    for (const algorithm of algorithms) {
      const { publicKey, privateKey } = pairs[algorithm]
      await acme.registerDeployment([model_id], spkiFingerprint(publicKey.export({ type: 'spki', format: 'der' })).hex)
      const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
      mints.push({
        algorithm,
        key,
        url: `${world.address}/api/v1/create-verification`,
        api_key: acme.apiKey,
        body: JSON.stringify({ model_id }),
        created,
        nonce: `nonce-of-${algorithm}`,
      })
      const fetch = requestSigner({
        key,
        now: world.clock.now,
        fetch: async (url, init) => {
          const request = new Request(url, init)
          const headers = Object.fromEntries(request.headers)
          signed.push({ algorithm, url: request.url, headers, body: await request.text() })
          return globalThis.fetch(url, init)
        },
      })
      const client = createClient({ apiKey: acme.apiKey, baseURL: world.address, fetch, maxRetries: 0 })
      await client.verifications.create({ model_id })
    }
    const [repeated] = mints
    const changed = signed.map((one) => ({ ...one, body: `${one.body} ` }))
    const answers = await runPython({ mints: [...mints, repeated], signed: [...signed, ...changed] })
    const minted = { status: 201, answer: expect.objectContaining({ deployment_binding: 'signed' }) }
    const refused = { status: 403, answer: expect.objectContaining({ code: 'signature_invalid' }) }
    expect(answers).toEqual({
      mints: [...Array(4).fill(minted), refused],
      signed: [...Array(4).fill('valid'), ...Array(4).fill('invalid')],
    })
  },
)
