import { createClient } from '@countersign/sdk'
import { hashModel } from '@countersign/sdk/node'

const client = createClient({
  baseURL: 'https://registry.example',
  apiKey: process.env.COUNTERSIGN_API_KEY,
})
const { digest } = await hashModel('model.safetensors')
const { model_id } = await client.models.register({
  display_name: 'Acme Chat',
  api_model_identifier: 'acme-chat',
  endpoint: 'https://api.acme.example/v1/chat',
  description: 'Answers questions about our products',
  version: '1.0.0',
  context_window: 128_000,
  capabilities: ['text-generation', 'conversation'],
  model_digest: digest,
})
console.log(model_id)
