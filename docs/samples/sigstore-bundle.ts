import { readFile } from 'node:fs/promises'
import { createClient } from '@countersign/sdk'

const client = createClient({
  baseURL: 'https://registry.example',
  apiKey: process.env.COUNTERSIGN_API_KEY,
})

// Say who may sign your models
await client.signers.declare({
  signer: {
    kind: 'key',
    public_key: await readFile('public.pem', 'utf8'),
  },
})

// Give the bundle; the answer says what was checked
const bundle = JSON.parse(await readFile('model.sig', 'utf8'))
const record = await client.bundles.upload(
  'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm',
  bundle,
)
console.log(record.bundle_status, record.message)
