import { createClient } from '@countersign/sdk'

const client = createClient({ baseURL: 'https://registry.example' })
const { incident_id, is_verified_report } =
  await client.incidents.report({
    verification_token: 'W904-2CKW-GDNC-X7S1',
    category: 'harmful_content',
    severity: 'high',
    title: 'It told me to skip a medicine',
    description: 'I asked about my prescription.',
  })
console.log(incident_id, is_verified_report)
