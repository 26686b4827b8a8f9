import { createClient } from '@countersign/sdk'

const client = createClient({
  baseURL: 'https://registry.example',
  apiKey: process.env.COUNTERSIGN_API_KEY,
})
await client.models.setHealth('mdl_06dh0e3x7c9bw4vjz2n8qk5ytm', {
  enabled: true,
  interval_seconds: 300,
})

// Public, no key needed
const { health_status, uptime_7d } = await client.models.health(
  'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm',
)
console.log(health_status, uptime_7d)
