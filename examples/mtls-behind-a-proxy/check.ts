// Tests the proxy as a deployment, and as an attacker who has only seen its certificate. Exits 1 if a result is wrong.
// Set COUNTERSIGN_API_URL (the registry, without the proxy), PROXY_URL, COUNTERSIGN_API_KEY, MODEL_ID of a model that requires proof, and
// NODE_EXTRA_CA_CERTS if the proxy's authority is your own. client.crt and client.key are the deployment's.
import { X509Certificate } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { ApiError, createClient } from '@countersign/sdk'
import { createMtlsFetch, spkiFingerprint } from '@countersign/sdk/node'

const { COUNTERSIGN_API_URL: direct, PROXY_URL: proxy, NODE_EXTRA_CA_CERTS: caFile } = process.env
const missing = [
  ...['COUNTERSIGN_API_URL', 'PROXY_URL', 'COUNTERSIGN_API_KEY', 'MODEL_ID'].filter((name) => !process.env[name]),
  ...['client.crt', 'client.key', ...(caFile ? [caFile] : [])].filter((file) => !existsSync(file)),
]
if (missing.length > 0) {
  console.error(`Missing: ${missing.join(', ')}`)
  process.exit(2)
}

const cert = await readFile('client.crt')
const key = await readFile('client.key')
const forged = {
  'Client-Cert': `:${new X509Certificate(cert).raw.toString('base64')}:`,
  'X-Client-Cert-Fingerprint': spkiFingerprint(cert).hex,
}
const withCertificate = createMtlsFetch({ cert, key, ...(caFile && { ca: await readFile(caFile) }) })

interface Attempt {
  url: string | undefined
  fetch?: typeof fetch
  headers?: Record<string, string>
}

/** Returns how the deployment was proven, or the code of the error. */
const mint = async ({ url, fetch, headers }: Attempt) => {
  const client = createClient({
    baseURL: url,
    apiKey: process.env.COUNTERSIGN_API_KEY,
    fetch,
    defaultHeaders: headers,
    maxRetries: 0,
  })
  try {
    return (await client.verifications.create({ model_id: process.env.MODEL_ID ?? '' })).deployment_binding
  } catch (error) {
    if (error instanceof ApiError) return error.code
    throw error
  }
}

const attempts = [
  {
    name: 'with the certificate, through the proxy',
    attempt: { url: proxy, fetch: withCertificate },
    expected: 'proxy',
  },
  { name: 'without a certificate', attempt: { url: proxy }, expected: 'deployment_proof_required' },
  {
    name: 'with another certificate in the header, through the proxy',
    attempt: { url: proxy, headers: forged },
    expected: 'deployment_proof_required',
  },
  {
    name: 'with that header, without the proxy',
    attempt: { url: direct, headers: forged },
    expected: 'deployment_proof_required',
  },
]
for (const { name, attempt, expected } of attempts) {
  const got = await mint(attempt)
  const isRight = got === expected
  console.log(`${isRight ? 'ok' : 'WRONG'}: ${name}: ${got}`)
  if (!isRight) process.exitCode = 1
}
await withCertificate.close()
