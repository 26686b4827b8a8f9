import { readFile } from 'node:fs/promises'
import { createClient } from '@countersign/sdk'
import { createMtlsFetch } from '@countersign/sdk/node'

const [cert, key] = await Promise.all([
  readFile('client.crt'),
  readFile('client.key'),
])
const fetch = createMtlsFetch({ cert, key })
const client = createClient({
  baseURL: 'https://tls.registry.example',
  apiKey: process.env.COUNTERSIGN_API_KEY,
  fetch,
})
const link = await client.verifications.create({
  model_id: 'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm',
})
console.log(link.deployment_binding, link.verification_url)
await fetch.close()
