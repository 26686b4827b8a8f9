import { createClient } from '@countersign/sdk'

const client = createClient({
  baseURL: 'https://registry.example',
  // Called before each attempt, so you can replace the key
  apiKey: () => process.env.COUNTERSIGN_API_KEY ?? '',
  timeout: 5_000,
  maxRetries: 3,
  appInfo: { name: 'acme-chat', version: '1.4.0' },
})

const { data, requestId } = await client.providers
  .me()
  .withResponse()
console.log(data.company_name, requestId)
