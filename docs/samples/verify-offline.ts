import { createVerifier } from '@countersign/sdk/verify'

// Fetches only the registry’s public keys
const verifier = createVerifier({
  issuer: 'https://registry.example',
})
const verdict = await verifier.verify(process.env.TOKEN ?? '', {
  expect: { provider_domain: 'acme.example' },
})
console.log(verdict.result, verdict.live_state)
