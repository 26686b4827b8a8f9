import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'

const StrictSchema = z.looseObject({
  type: z.literal('object'),
  properties: z.record(z.string(), z.unknown()),
  required: z.array(z.string()),
  additionalProperties: z.literal(false),
})
const Definition = {
  name: z.string().regex(/^[\w-]{1,64}$/),
  description: z.string(),
  parameters: StrictSchema,
  strict: z.literal(true),
}
const ChatTool = z.strictObject({ type: z.literal('function'), function: z.strictObject(Definition) })
const ResponsesTool = z.strictObject({ type: z.literal('function'), ...Definition })

const ChatRequest = z.looseObject({
  tools: z.array(ChatTool).min(1),
  messages: z.array(
    z.looseObject({ role: z.string(), content: z.unknown().optional(), tool_call_id: z.string().optional() }),
  ),
})
const ResponsesRequest = z.looseObject({
  tools: z.array(ResponsesTool).min(1),
  input: z.array(
    z.looseObject({ type: z.string().optional(), call_id: z.string().optional(), output: z.unknown().optional() }),
  ),
})

/**
 * Answers like OpenAI's two APIs: the first turn calls the first tool with the given arguments, the next one repeats
 * the tool's result. A tool that strict mode does not allow is rejected with 400.
 */
export const startOpenAiServer = async () => {
  let next = '{}'
  const server = createServer(async (request, response) => {
    const send = (status: number, body: unknown) => {
      response.writeHead(status, { 'Content-Type': 'application/json', 'x-should-retry': 'false' })
      response.end(JSON.stringify(body))
    }
    try {
      const body = JSON.parse(await textOf(request))
      if (request.url === '/v1/chat/completions') send(200, chatAnswer(ChatRequest.parse(body), next))
      else if (request.url === '/v1/responses') send(200, responsesAnswer(ResponsesRequest.parse(body), next))
      else send(404, { error: { message: 'Unknown address', type: 'invalid_request_error', param: null, code: null } })
    } catch (error) {
      send(400, {
        error: {
          message: String(error),
          type: 'invalid_request_error',
          param: 'tools',
          code: 'invalid_function_parameters',
        },
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    /** The arguments of the model's next call, word for word. */
    willAsk: (written: string) => {
      next = written
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const chatAnswer = ({ tools: [tool], messages }: z.infer<typeof ChatRequest>, written: string) => {
  const result = messages.findLast(({ role }) => role === 'tool')
  const call = { id: 'call_1', type: 'function', function: { name: tool?.function.name, arguments: written } }
  if (result && result.tool_call_id !== call.id) throw new Error('A tool answered what was not asked')
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'scripted',
    choices: [
      {
        index: 0,
        logprobs: null,
        finish_reason: result ? 'stop' : 'tool_calls',
        message: result
          ? { role: 'assistant', content: result.content, refusal: null }
          : { role: 'assistant', content: null, refusal: null, tool_calls: [call] },
      },
    ],
  }
}

const responsesAnswer = ({ tools: [tool], input }: z.infer<typeof ResponsesRequest>, written: string) => {
  const result = input.findLast(({ type }) => type === 'function_call_output')
  if (result && result.call_id !== 'call_1') throw new Error('A tool answered what was not asked')
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: result?.output, annotations: [] }],
  }
  const call = {
    id: 'fc_1',
    type: 'function_call',
    status: 'completed',
    call_id: 'call_1',
    name: tool?.name,
    arguments: written,
  }
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    status: 'completed',
    model: 'scripted',
    output: [result ? message : call],
  }
}

const textOf = async (request: IncomingMessage) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
