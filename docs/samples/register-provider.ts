import { createClient } from '@countersign/sdk'

const client = createClient({ baseURL: 'https://registry.example' })
const { api_key, domain_proof } = await client.providers.register({
  company_name: 'Acme AI',
  email: 'ops@acme.example',
  website: 'https://acme.example',
})
console.log('Keep this key, it is shown once:', api_key)
console.log(
  'Publish this TXT record:',
  domain_proof.record_name,
  domain_proof.record_value,
)
