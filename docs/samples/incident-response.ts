import { createClient } from '@countersign/sdk'

const client = createClient({
  baseURL: 'https://registry.example',
  apiKey: process.env.COUNTERSIGN_API_KEY,
})
for await (const incident of client.incidents.list({
  status: 'reported',
})) {
  await client.incidents.respond(incident.id, {
    status: 'resolved',
    response: 'Fixed in version 2.0.1.',
  })
}
