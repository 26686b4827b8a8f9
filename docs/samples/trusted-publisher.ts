import { createClient } from '@countersign/sdk'

const client = createClient({
  baseURL: 'https://registry.example',
  apiKey: process.env.COUNTERSIGN_API_KEY,
})
const publisher = await client.publishers.add({
  kind: 'github',
  repository: 'acme/models',
  workflow: 'release.yml',
  environment: 'release',
})
console.log('Trusted:', publisher.id)
