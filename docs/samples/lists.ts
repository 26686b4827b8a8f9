import { createClient } from '@countersign/sdk'

const client = createClient({ baseURL: 'https://registry.example' })

// Pages are fetched as you go
for await (const model of client.models.list({ sort: 'name' })) {
  console.log(
    model.provider_domain,
    model.display_name,
    model.version,
  )
}

// Or the first hundred at once
const models = await client.models
  .list({ search: 'atlas' })
  .toArray({ limit: 100 })
console.log(models.length)
