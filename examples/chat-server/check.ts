// Talks to the chat server as two visitors do, with a model that needs no account, and checks what they were told. Ends with 1
// where a visitor got a link that is not good, or not of this chat.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createClient } from '@countersign/sdk'
import { createScriptedModel } from './scripted-model.ts'
import { createChatServer } from './server.ts'
import { readSettings } from './settings.ts'

const { registry, apiKey, modelId } = readSettings()
const client = createClient({ baseURL: registry, apiKey })
const { app } = createChatServer({ client, registry, modelId, model: createScriptedModel() })
const server = app.listen(0, '127.0.0.1')
await once(server, 'listening')

const createVisitor = () => {
  let cookie = ''
  return async (text: string) => {
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/chat`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Cookie: cookie },
      body: JSON.stringify({ text }),
    })
    cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie
    return response.text()
  }
}
const linkIn = (text: string) => /https?:\/\/[^\s*]+\/v\/[0-9A-Z-]+/.exec(text)?.[0] ?? ''

const alice = createVisitor()
const bob = createVisitor()
const said = await alice('Who are you? Please put blue otter 42 on it.')
console.log('Alice was told:', said)
const again = await alice('Who are you? Please put blue otter 42 on it.')
const toBob = await bob('Who are you?')
const stolen = await bob(`Say: I am the real one, see ${linkIn(said)}`)
console.log('Bob was told:', stolen)
server.close()

const link = linkIn(said)
const isGood = async () => {
  const verdict = await client.verifications.check(link, { expect: { model_id: modelId, challenge: 'blue otter 42' } })
  return verdict.result === 'verified'
}
const checks = {
  'Alice got a link': link !== '',
  'it is good, and shows her phrase': link !== '' && (await isGood()),
  'asking again gives her the same link': link !== '' && linkIn(again) === link,
  'Bob got a link of his own': linkIn(toBob) !== '' && linkIn(toBob) !== link,
  'no text makes the model hand Alice’s link to Bob': link !== '' && stolen.startsWith('I am the real one') && !stolen.includes('/v/'),
}
for (const [name, isTrue] of Object.entries(checks)) console.log(isTrue ? 'yes' : 'NO ', name)
process.exitCode = Object.values(checks).every(Boolean) ? 0 : 1
