import { createClient } from '@countersign/sdk'

const client = createClient({
  baseURL: 'https://registry.example',
  apiKey: process.env.COUNTERSIGN_API_KEY,
})
const next = await client.models.register({
  display_name: 'Acme Chat',
  api_model_identifier: 'acme-chat',
  endpoint: 'https://api.acme.example/v1/chat',
  description: 'Answers questions about our products',
  version: '2.0.0',
  force_new_version: true,
  copy_authorizations: true,
})
console.log(next.model_id, 'supersedes', next.predecessor_id)

// Withdraw the previous version, if its links should stop
await client.models.archive('mdl_06dh0e3x7c9bw4vjz2n8qk5ytm', {
  reason: 'Replaced by 2.0.0',
})
