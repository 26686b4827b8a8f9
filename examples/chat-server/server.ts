import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Countersign, createLinkIssuer, guardOutput, type LinkIssuer } from '@countersign/sdk'
import { verificationTool } from '@countersign/sdk/ai'
import { isStepCount, type LanguageModel, type ModelMessage, streamText } from 'ai'
import express from 'express'

export interface ChatServerOptions {
  /** Its key should only be allowed to mint links. */
  client: Countersign
  /** The registry's public address, whose links the guard checks. */
  registry: string
  /** The registered model that this server runs. */
  modelId: string
  model: LanguageModel
}

const mostChats = 10_000
const mostMessages = 20

/** `POST /chat` with `{ "text": "…" }` streams the model's answer, or returns 502. A cookie identifies the chat. */
export const createChatServer = ({ client, registry, modelId, model }: ChatServerOptions) => {
  const issuer = createLinkIssuer({ client, modelId })
  const chats = createMemory()
  const tools = {
    get_verification_link: verificationTool({ issuer, onError: (cause) => console.error('No link:', String(cause)) }),
  }

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
    const output = keep(textStream.pipeThrough(guardFor(issuer, registry, sessionId)), (answer) =>
      chats.add(sessionId, text, answer),
    )
    const first = await output.next().catch(() => undefined)
    if (!first?.value) return void response.status(502).send('The model did not answer. See the log of the server.')
    response.write(first.value)
    // Ignore the error if the visitor closes the page early.
    await pipeline(Readable.from(output), response).catch(() => {})
  })
  return { app, issuer }
}

/** Lets only this chat's links through, and restores their spelling. */
const guardFor = (issued: LinkIssuer, host: string, sessionId: string) =>
  guardOutput({
    issued,
    sessionId,
    host,
    onFinding: ({ kind }) => {
      if (kind === 'foreign') console.warn('The model wrote a link that this chat was not given')
    },
  })

/** Passes a stream on, and calls `onEnd` with the whole text. */
async function* keep(chunks: AsyncIterable<string>, onEnd: (text: string) => void) {
  let text = ''
  for await (const chunk of chunks) {
    text += chunk
    if (chunk !== '') yield chunk
  }
  if (text !== '') onEnd(text)
}

/** The cookie is the chat's secret: anyone who has it gets that chat's links. */
const readCookie = (header = '') => /(?:^|; )chat=([0-9a-f-]{36})(?:;|$)/.exec(header)?.[1]

/** The latest messages of the latest chats. With several processes, use a shared store instead. */
const createMemory = () => {
  const chats = new Map<string, ModelMessage[]>()
  return {
    of: (sessionId: string): readonly ModelMessage[] => chats.get(sessionId) ?? [],
    add: (sessionId: string, question: string, answer: string) => {
      const messages = [...(chats.get(sessionId) ?? []), { role: 'user' as const, content: question }]
      messages.push({ role: 'assistant', content: answer })
      chats.delete(sessionId)
      chats.set(sessionId, messages.slice(-mostMessages))
      for (const [oldest] of chats) {
        if (chats.size <= mostChats) break
        chats.delete(oldest)
      }
    },
  }
}
