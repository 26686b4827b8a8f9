import { generateText, isStepCount, simulateReadableStream, streamText } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { expect, it } from 'vitest'
import { createMinter, otherModel, ownModel } from '../../../tests/support/minter.ts'
import { verificationTool } from './index.ts'

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
}
const calls = { unified: 'tool-calls' as const, raw: undefined }
const stops = { unified: 'stop' as const, raw: undefined }

/** A model that calls the tool with the given arguments, and then says that it is done. */
const createModel = (args: unknown) => {
  const call = {
    type: 'tool-call' as const,
    toolCallId: 'call-1',
    toolName: 'get_verification_link',
    input: JSON.stringify(args),
  }
  const stream = (...chunks: Parameters<typeof simulateReadableStream<ModelPart>>[0]['chunks']) => ({
    stream: simulateReadableStream({ chunks }),
  })
  return new MockLanguageModelV4({
    doGenerate: [
      { content: [call], finishReason: calls, usage, warnings: [] },
      { content: [{ type: 'text', text: 'Done' }], finishReason: stops, usage, warnings: [] },
    ],
    doStream: [
      stream(call, { type: 'finish', finishReason: calls, usage }),
      stream(
        { type: 'text-start', id: '1' },
        { type: 'text-delta', id: '1', delta: 'Done' },
        { type: 'text-end', id: '1' },
        { type: 'finish', finishReason: stops, usage },
      ),
    ],
  })
}
type ModelPart =
  Awaited<ReturnType<MockLanguageModelV4['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never

const createChat = (args: unknown) => {
  const minter = createMinter()
  const errors: unknown[] = []
  const model = createModel(args)
  const chat = {
    model,
    prompt: 'Who are you?',
    tools: {
      get_verification_link: verificationTool({ issuer: minter.issuer, onError: (cause) => errors.push(cause) }),
    },
    toolsContext: { get_verification_link: { sessionId: 'chat-1' } },
    stopWhen: isStepCount(2),
    maxRetries: 0,
  }
  return { minter, errors, model, chat }
}

/** What the tool returned to the model. */
const toldTo = ({ prompt }: { prompt: unknown } = { prompt: undefined }) => JSON.stringify(prompt)

it('gives the session’s link to generateText and streamText; the model sees only its text', async () => {
  for (const way of ['generate', 'stream'] as const) {
    const { minter, chat, model } = createChat({ challenge: 'blue otter 42' })
    const result = way === 'generate' ? await generateText(chat) : streamText(chat)
    expect(await result.text).toBe('Done')
    const [link] = minter.issuer.issuedTo('chat-1')
    expect(link?.url).toMatch(/^https:\/\/registry\.example\/v\//)
    const [step] = await result.steps
    expect(step?.toolResults).toMatchObject([
      { output: { ok: true, verification_url: link?.url, code: link?.code, challenge: 'blue otter 42' } },
    ])
    expect(minter.requests).toMatchObject([{ model_id: ownModel, challenge: 'blue otter 42' }])

    const [first, second] = way === 'generate' ? model.doGenerateCalls : model.doStreamCalls
    expect(first?.tools).toMatchObject([
      {
        name: 'get_verification_link',
        inputSchema: {
          properties: { challenge: { type: ['string', 'null'] } },
          required: ['challenge'],
          additionalProperties: false,
        },
      },
    ])
    expect(toldTo(second)).toContain(link?.url)
    expect(JSON.stringify([first, second, await result.steps])).not.toContain('eyJ.secret.token')
    expect(toldTo(first) + toldTo(second)).not.toContain('chat-1')
  }
})

it.each([
  { name: 'another model', args: { challenge: null, model_id: otherModel } },
  { name: 'another session', args: { challenge: null, sessionId: 'chat-2' } },
  { name: 'a challenge that is a web page', args: { challenge: '<b>verified</b>' } },
  { name: 'a list', args: [otherModel] },
])('rejects by its schema a call with $name', async ({ args }) => {
  const { minter, chat, model, errors } = createChat(args)
  const { steps } = await generateText(chat)
  expect(steps[0]?.toolCalls).toMatchObject([{ invalid: true }])
  expect(minter.requests).toEqual([])
  expect(errors).toEqual([])
  expect(toldTo(model.doGenerateCalls[1])).toMatch(/takes `challenge` and nothing else|at most 64 letters/)
})

it('mints nothing without a session', async () => {
  for (const context of [{}, { sessionId: '' }]) {
    const { minter, chat } = createChat({ challenge: null })
    await expect(
      generateText({ ...chat, toolsContext: { get_verification_link: context as { sessionId: string } } }),
    ).rejects.toThrow('tool context')
    expect(minter.requests).toEqual([])
  }
})

it('tells the model that there is no link, and the program why', async () => {
  const { minter, chat, model, errors } = createChat({ challenge: null })
  minter.is('refuses')
  const { steps } = await generateText(chat)
  expect(steps[0]?.toolResults).toMatchObject([{ output: { ok: false, reason: 'refused' } }])
  expect(toldTo(model.doGenerateCalls[1])).toContain('"error-text"')
  expect(toldTo(model.doGenerateCalls[1])).not.toContain('revoked')
  expect(errors).toMatchObject([{ code: 'unauthorized' }])
})

it('stops waiting for the registry when the chat is aborted', async () => {
  const { minter, chat } = createChat({ challenge: null })
  minter.is('is silent')
  const stop = new AbortController()
  const asked = generateText({ ...chat, abortSignal: stop.signal })
  void minter.silence.then(() => stop.abort())
  await expect(asked).rejects.toThrow()
  expect(minter.aborted()).toBe(1)
})
