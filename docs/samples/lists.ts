import { createClient } from '@countersign/sdk'

const client = createClient({ baseURL: 'https://registry.example' })

// Fetches the pages one by one
for await (const model of client.models.list({ sort: 'name' })) {
  console.log(
    model.provider_domain,
    model.display_name,
    model.version,
  )
}

// Or get the first hundred at once
const models = await client.models
  .list({ search: 'atlas' })
  .toArray({ limit: 100 })
console.log(models.length)
