import { createClient } from '@countersign/sdk'

const client = createClient({
  baseURL: 'https://registry.example',
  apiKey: process.env.COUNTERSIGN_API_KEY,
})
const { result, detail } = await client.providers.verifyDomain({
  method: 'dns',
})
console.log(result, detail)
