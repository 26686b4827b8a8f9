import { simulateReadableStream } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'

type StreamResult = Awaited<ReturnType<MockLanguageModelV4['doStream']>>
type Part = StreamResult['stream'] extends ReadableStream<infer P> ? P : never

/**
 * A model that needs no account. Asked who it is, it calls the tool and then garbles the link as models do: in bold, in lowercase,
 * with typographic hyphens. Asked to say something, it repeats it.
 */
export const createScriptedModel = () =>
  new MockLanguageModelV4({
    doStream: async ({ prompt }) => {
      const last = prompt.at(-1)
      const text = JSON.stringify(last?.content ?? '')
      if (last?.role === 'tool')
        return say(
          `I am Acme Chat. Check me: **${garble(/https?:[^"\\]+/.exec(text)?.[0] ?? 'no link')}** (15 minutes)`,
        )
      const [, words] = /Say: ([^"]*)/.exec(text) ?? []
      if (words !== undefined) return say(words)
      const [, phrase = null] = /put ([\w ]+) on it/.exec(text) ?? []
      return call({ challenge: phrase })
    },
  })

const garble = (link: string) => link.toLowerCase().replaceAll('-', '\u2011')

/** Streams three characters at a time, so that a link is always split. */
const say = (text: string): StreamResult =>
  stream([
    { type: 'text-start', id: '1' },
    ...(text.match(/[\s\S]{1,3}/g) ?? []).map((delta) => ({ type: 'text-delta' as const, id: '1', delta })),
    { type: 'text-end', id: '1' },
    finish('stop'),
  ])

const call = (input: object): StreamResult =>
  stream([
    { type: 'tool-call', toolCallId: 'call-1', toolName: 'get_verification_link', input: JSON.stringify(input) },
    finish('tool-calls'),
  ])

const stream = (chunks: Part[]): StreamResult => ({
  stream: simulateReadableStream({ chunks, initialDelayInMs: null, chunkDelayInMs: null }),
})

const finish = (unified: 'stop' | 'tool-calls') => ({
  type: 'finish' as const,
  finishReason: { unified, raw: undefined },
  usage: {
    inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 1, text: 1, reasoning: undefined },
  },
})
