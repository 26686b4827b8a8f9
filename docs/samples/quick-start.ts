import { createClient } from '@countersign/sdk'

const client = createClient({
  baseURL: 'https://registry.example',
  apiKey: process.env.COUNTERSIGN_API_KEY,
})

// The record is published: have it read
await client.providers.verifyDomain({})

// Your model
const { model_id } = await client.models.register({
  display_name: 'Acme Chat',
  api_model_identifier: 'acme-chat',
  endpoint: 'https://api.acme.example/v1/chat',
  description: 'Answers questions about our products',
})

// A link for the person who asked
const { verification_url } = await client.verifications.create({
  model_id,
})
console.log(verification_url)

// What that person sees
const verdict = await client.verifications.check(verification_url)
console.log(verdict.result)
