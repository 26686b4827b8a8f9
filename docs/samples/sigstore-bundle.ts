import { readFile } from 'node:fs/promises'
import { createClient } from '@countersign/sdk'
import { signSignerProof } from '@countersign/sdk/integrity'

const client = createClient({
  baseURL: 'https://registry.example',
  apiKey: process.env.COUNTERSIGN_API_KEY,
})

// Declare the signer of your models
const { id } = await client.signers.declare({
  signer: {
    kind: 'key',
    public_key: await readFile('public.pem', 'utf8'),
  },
})

// Prove that the key is yours
const { message } = await client.signers.challenge(id, {})
const key = await readFile('key.pem', 'utf8')
const signature = signSignerProof(message, key, {
  registry: 'https://registry.example',
  provider: (await client.providers.me()).id,
  signer: id,
})
await client.signers.prove(id, { signature })

// Upload the bundle; the response lists the checks
const bundle = JSON.parse(await readFile('model.sig', 'utf8'))
const record = await client.bundles.upload(
  'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm',
  bundle,
)
console.log(record.bundle_status, record.message)
