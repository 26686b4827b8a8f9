import { createClient } from '@countersign/sdk'

const client = createClient({
  baseURL: 'https://registry.example',
  apiKey: process.env.COUNTERSIGN_API_KEY,
})
const { verification_url, expires_in } =
  await client.verifications.create({
    model_id: 'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm',
    challenge: 'blue otter 42',
    origin: 'https://chat.acme.example',
    metadata: { conversation: 'c-1042' },
  })
console.log(
  verification_url,
  `is good for ${expires_in / 60} minutes`,
)
