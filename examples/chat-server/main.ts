import { createClient } from '@countersign/sdk'
import { createScriptedModel } from './scripted-model.ts'
import { createChatServer } from './server.ts'
import { readSettings } from './settings.ts'

const { registry, apiKey, modelId } = readSettings('CHAT_MODEL')
const client = createClient({ baseURL: registry, apiKey })

// For a name such as acme/acme-chat, the AI SDK uses its gateway, with AI_GATEWAY_API_KEY. For your own model, create it here with a
// provider package, such as createOpenAICompatible({ name, baseURL, apiKey }).chatModel('acme-chat').
const { CHAT_MODEL: name = '' } = process.env
const model = name === 'scripted' ? createScriptedModel() : name

const { app } = createChatServer({ client, registry, modelId, model })
const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () =>
  console.log('Listening on', server.address()),
)
