import { createClient } from '@countersign/sdk'
import { provenDomain } from '@countersign/sdk/verify'

const client = createClient({ baseURL: 'https://registry.example' })
const verdict = await client.verifications.check(
  'https://registry.example/v/W904-2CKW-GDNC-X7S1',
  {
    expect: { provider_domain: 'acme.example' },
  },
)
if (verdict.result === 'verified')
  console.log('Verified:', provenDomain(verdict.verification))
else
  console.log(
    verdict.result === 'unknown'
      ? 'Could not check:'
      : 'Not verified:',
    verdict.reason,
  )
