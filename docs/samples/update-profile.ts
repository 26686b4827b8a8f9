import { openAsBlob } from 'node:fs'
import { createClient } from '@countersign/sdk'

const client = createClient({
  baseURL: 'https://registry.example',
  apiKey: process.env.COUNTERSIGN_API_KEY,
})
const { id } = await client.providers.me()
await client.providers.setProfile(id, {
  company_description: 'Maps and questions',
  founded_year: 2019,
  headquarters_location: { city: 'Oslo', country: 'Norway' },
  support_email: 'help@acme.example',
})
await client.providers.uploadLogo(
  id,
  await openAsBlob('logo.png', { type: 'image/png' }),
)
