import { createClient } from '@countersign/sdk'

const client = createClient({
  baseURL: 'https://registry.example',
  apiKey: process.env.COUNTERSIGN_API_KEY,
})
const key = await client.keys.create({
  name: 'chat servers',
  scopes: ['links'],
  expires_in_days: 90,
})
console.log('Keep this key, it is shown once:', key.api_key)

// Later: revoke it, effective at the next request
// await client.keys.revoke(key.id)
