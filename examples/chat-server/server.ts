import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Countersign, createLinkIssuer, guardOutput, type LinkIssuer } from '@countersign/sdk'
import { verificationTool } from '@countersign/sdk/ai'
import { isStepCount, type LanguageModel, type ModelMessage, streamText } from 'ai'
import express from 'express'

export interface ChatServerOptions {
  /** With a key that may mint links and nothing else. */
  client: Countersign
  /** The registry's public address: its links are the ones that are guarded. */
  registry: string
  /** The model that this server runs, as the registry knows it, and as the AI SDK does. */
  modelId: string
  model: LanguageModel
}

const mostChats = 10_000
const mostMessages = 20

/** `POST /chat` with `{ "text": "…" }` answers with the model's words as they come, or 502. The chat is known by its cookie. */
export const createChatServer = ({ client, registry, modelId, model }: ChatServerOptions) => {
  const issuer = createLinkIssuer({ client, modelId })
  const chats = createMemory()
  const tools = { get_verification_link: verificationTool({ issuer, onError: (cause) => console.error('No link:', String(cause)) }) }

  const app = express()
  app.post('/chat', express.json(), async (request, response) => {
    const sessionId = readCookie(request.headers.cookie) ?? randomUUID()
    const text = String(request.body?.text ?? '')
    const stop = new AbortController()
    response.on('close', () => stop.abort())
    response.cookie('chat', sessionId, { httpOnly: true, sameSite: 'strict' }).type('text/plain')

    const { textStream } = streamText({
      model,
      messages: [...chats.of(sessionId), { role: 'user', content: text }],
      tools,
      toolsContext: { get_verification_link: { sessionId } },
      stopWhen: isStepCount(5),
      abortSignal: stop.signal,
      onError: ({ error }) => console.error('No answer:', String(error)),
    })
    const said = keep(textStream.pipeThrough(guardFor(issuer, registry, sessionId)), (answer) => chats.add(sessionId, text, answer))
    const first = await said.next().catch(() => undefined)
    if (!first?.value) return void response.status(502).send('The model gave no answer. Why, the log of the server says.')
    response.write(first.value)
    // Who closes the page while the model talks has heard enough.
    await pipeline(Readable.from(said), response).catch(() => {})
  })
  return { app, issuer }
}

/** Only links that this chat was given leave the server, as they were issued. */
const guardFor = (issued: LinkIssuer, host: string, sessionId: string) =>
  guardOutput({
    issued,
    sessionId,
    host,
    onFinding: ({ kind }) => {
      if (kind === 'foreign') console.warn('The model wrote a link that this chat was not given')
    },
  })

/** Passes a text on, and tells all of it when it is over. */
async function* keep(chunks: AsyncIterable<string>, tell: (text: string) => void) {
  let text = ''
  for await (const chunk of chunks) {
    text += chunk
    if (chunk !== '') yield chunk
  }
  if (text !== '') tell(text)
}

/** The cookie is a secret of its chat: whoever has it gets that chat's links. */
const readCookie = (header = '') => /(?:^|; )chat=([0-9a-f-]{36})(?:;|$)/.exec(header)?.[1]

/** The last messages of the last chats; a server with several processes keeps them elsewhere. */
const createMemory = () => {
  const chats = new Map<string, ModelMessage[]>()
  return {
    of: (sessionId: string): readonly ModelMessage[] => chats.get(sessionId) ?? [],
    add: (sessionId: string, asked: string, answered: string) => {
      const messages = [...(chats.get(sessionId) ?? []), { role: 'user' as const, content: asked }]
      messages.push({ role: 'assistant', content: answered })
      chats.delete(sessionId)
      chats.set(sessionId, messages.slice(-mostMessages))
      for (const [oldest] of chats) {
        if (chats.size <= mostChats) break
        chats.delete(oldest)
      }
    },
  }
}
