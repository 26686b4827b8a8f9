import { createClient } from '@countersign/sdk'

const client = createClient({
  baseURL: 'https://registry.example',
  apiKey: process.env.COUNTERSIGN_API_KEY,
})

/** Make this a tool that your model may call. */
export const proveIdentity = async ({
  challenge,
}: {
  challenge?: string
}) => {
  const { verification_url } = await client.verifications.create({
    model_id: 'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm',
    challenge,
    origin: 'https://chat.acme.example',
  })
  return `Check me here within 15 minutes: ${verification_url}`
}

console.log(await proveIdentity({ challenge: 'blue otter 42' }))
