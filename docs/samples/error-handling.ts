import {
  ApiError,
  createClient,
  RateLimitError,
  ValidationError,
} from '@countersign/sdk'

const client = createClient({
  baseURL: 'https://registry.example',
  apiKey: process.env.COUNTERSIGN_API_KEY,
})
try {
  await client.verifications.create({ model_id: 'acme-chat' })
} catch (error) {
  if (error instanceof ValidationError) console.error(error.issues)
  else if (error instanceof RateLimitError)
    console.error('Again in', error.retryAfterMs, 'ms')
  else if (error instanceof ApiError)
    console.error(error.code, error.detail, error.requestId)
  else throw error
}
