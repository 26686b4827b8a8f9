import { createClient } from '@countersign/sdk'

const baseURL = 'https://registry.example'
const { access_token } = await createClient({
  baseURL,
}).publishers.exchange({
  grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
  subject_token: process.env.COUNTERSIGN_ID_TOKEN ?? '',
  subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
  provider_id: 'prv_06dh0e3x7c9bw4vjz2n8qk5ytm',
})

const client = createClient({ baseURL, apiKey: access_token })
const model = await client.models.register({
  display_name: 'Acme Chat',
  api_model_identifier: 'acme-chat',
  version: '1.0.0',
  endpoint: 'https://api.acme.example/v1/chat',
  description: 'Answers questions about our products',
})
console.log('Registered:', model.model_id)
