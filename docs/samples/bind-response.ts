import { createClient } from '@countersign/sdk'

const client = createClient({
  baseURL: 'https://registry.example',
  apiKey: process.env.COUNTERSIGN_API_KEY,
})
const { token, verification_url } =
  await client.verifications.create({
    model_id: 'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm',
  })
const { response_hash } = await client.verifications.bind(token, {
  response_text: 'Oslo is the capital of Norway.',
})
console.log(verification_url, response_hash)
