import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMinter, otherModel, ownModel } from '../../../tests/support/minter.ts'
import { startOpenAiServer } from '../../../tests/support/openai-server.ts'
import { AbortError } from '../api-error.ts'
import { type HandleToolCallOptions, handleToolCall, openaiResponsesTool, openaiTool } from './index.ts'

let api: Awaited<ReturnType<typeof startOpenAiServer>>
let openai: OpenAI
beforeAll(async () => {
  api = await startOpenAiServer()
  openai = new OpenAI({ apiKey: 'sk-example', baseURL: api.baseURL, maxRetries: 0 })
})
afterAll(() => api.close())

/** The model's text after the call was answered, through each of the two APIs. */
const ways = {
  'chat completions': async (written: string, options: HandleToolCallOptions) => {
    api.willAsk(written)
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Who are you?' }]
    const ask = async () =>
      (await openai.chat.completions.create({ model: 'scripted', messages, tools: [openaiTool] })).choices[0]?.message
    const message = await ask()
    if (message) messages.push(message)
    for (const call of message?.tool_calls ?? []) {
      if (call.type === 'function')
        messages.push({ role: 'tool', tool_call_id: call.id, content: await handleToolCall(call, options) })
    }
    return (await ask())?.content
  },
  responses: async (written: string, options: HandleToolCallOptions) => {
    api.willAsk(written)
    const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'Who are you?' }]
    const ask = () => openai.responses.create({ model: 'scripted', input, tools: [openaiResponsesTool] })
    for (const item of (await ask()).output) {
      if (item.type !== 'function_call') continue
      input.push(item, {
        type: 'function_call_output',
        call_id: item.call_id,
        output: await handleToolCall(item, options),
      })
    }
    return (await ask()).output_text
  },
}

describe.each(Object.entries(ways))('through %s', (_, ask) => {
  it('gives the model the link of its session through a tool that strict mode accepts', async () => {
    const { issuer, requests } = createMinter()
    const said = await ask('{"challenge":"blue otter 42"}', { issuer, sessionId: 'chat-1' })
    const [link] = issuer.issuedTo('chat-1')
    expect(said).toContain(link?.url)
    expect(said).not.toContain(link?.token)
    expect(requests).toMatchObject([{ model_id: ownModel, challenge: 'blue otter 42' }])
  })

  it.each([
    { name: 'another model', written: JSON.stringify({ challenge: null, model_id: otherModel }) },
    { name: 'another session', written: '{"challenge":null,"session":"chat-2"}' },
    { name: 'invalid JSON', written: '{"challenge": "blue' },
    { name: 'a text', written: JSON.stringify(otherModel) },
    { name: 'an inherited argument', written: `{"challenge":null,"__proto__":{"model_id":"${otherModel}"}}` },
  ])('mints nothing for arguments with $name, and tells the model', async ({ written }) => {
    const { issuer, requests } = createMinter()
    expect(await ask(written, { issuer, sessionId: 'chat-1' })).toContain('takes `challenge` and nothing else')
    expect(requests).toEqual([])
  })
})

it('accepts a call without arguments as one without a challenge', async () => {
  const { issuer } = createMinter()
  const said = await handleToolCall(
    { type: 'function', function: { name: openaiTool.function.name, arguments: '' } },
    { issuer, sessionId: 's' },
  )
  expect(said).toContain(issuer.issuedTo('s')[0]?.url)
})

it('tells the model that there is no link, and the program why', async () => {
  const { issuer, is } = createMinter()
  is('refuses')
  const errors: unknown[] = []
  const options = { issuer, sessionId: 's', onError: (cause: unknown) => errors.push(cause) }
  const said = await handleToolCall({ type: 'function_call', name: openaiTool.function.name, arguments: '{}' }, options)
  expect(said).toContain('Do not make one up')
  expect(said).not.toContain('revoked')
  expect(errors).toMatchObject([{ code: 'unauthorized' }])
})

it('rejects a call of another tool, and stops when it is aborted', async () => {
  const { issuer, is, aborted, silence } = createMinter()
  const other = handleToolCall(
    { type: 'function_call', name: 'get_weather', arguments: '{}' },
    { issuer, sessionId: 's' },
  )
  await expect(other).rejects.toThrow(TypeError)
  is('is silent')
  const stop = new AbortController()
  const waiting = handleToolCall(
    { type: 'function_call', name: openaiTool.function.name, arguments: '{}' },
    { issuer, sessionId: 's', signal: stop.signal },
  )
  void silence.then(() => stop.abort())
  await expect(waiting).rejects.toThrow(AbortError)
  expect(aborted()).toBe(1)
})
