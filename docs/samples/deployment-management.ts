import { readFile } from 'node:fs/promises'
import { createClient } from '@countersign/sdk'
import { spkiFingerprint } from '@countersign/sdk/node'

const client = createClient({
  baseURL: 'https://registry.example',
  apiKey: process.env.COUNTERSIGN_API_KEY,
})
const { deployment_id } = await client.deployments.register({
  spki_fingerprint: spkiFingerprint(await readFile('client.crt'))
    .hex,
  labels: { region: 'eu' },
})

// Allow it to mint links for this model
await client.models.allowDeployment(
  'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm',
  { deployment_id },
)

// If its key leaks, this ends all its links at once
// const status = 'disabled'
// await client.deployments.setStatus(deployment_id, { status })
