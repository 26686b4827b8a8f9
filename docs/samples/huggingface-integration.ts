import { createClient } from '@countersign/sdk'

const client = createClient({
  baseURL: 'https://registry.example',
  apiKey: process.env.COUNTERSIGN_API_KEY,
})
const { updated_fields, revision } =
  await client.models.syncHuggingface(
    'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm',
    {
      huggingface_model_id: 'acme/atlas',
    },
  )
console.log('At commit', revision, updated_fields)
