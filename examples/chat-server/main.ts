import { createClient } from '@countersign/sdk'
import { createChatServer } from './server.ts'

const {
  COUNTERSIGN_API_URL: registry = 'http://127.0.0.1:4100',
  COUNTERSIGN_API_KEY: apiKey,
  COUNTERSIGN_MODEL: modelId = '',
} = process.env
const client = createClient({ baseURL: registry, apiKey })

const { app } = createChatServer({ client, registry, modelId, model: process.env.CHAT_MODEL ?? 'acme/acme-chat' })
const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => console.log('Listening on', server.address()))
