import { createClient } from '@countersign/sdk'

const client = createClient({
  baseURL: 'https://registry.example',
  apiKey: process.env.COUNTERSIGN_API_KEY,
})
const { id, domain, domain_verified } = await client.providers.me()
console.log(
  id,
  domain,
  domain_verified ? 'domain verified' : 'domain not verified',
)
