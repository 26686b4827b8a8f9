import { createClient } from '@countersign/sdk'

const client = createClient({
  baseURL: 'https://registry.example',
  apiKey: process.env.COUNTERSIGN_API_KEY,
})

// After publishing the record, verify the domain
await client.providers.verifyDomain({})

// Register your model
const { model_id } = await client.models.register({
  display_name: 'Acme Chat',
  api_model_identifier: 'acme-chat',
  endpoint: 'https://api.acme.example/v1/chat',
  description: 'Answers questions about our products',
})

// Mint a link for the visitor
const { verification_url } = await client.verifications.create({
  model_id,
})
console.log(verification_url)

// Check it as the visitor would
const verdict = await client.verifications.check(verification_url)
console.log(verdict.result)
