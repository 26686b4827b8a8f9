import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './imports.ts'

/** TypeScript's language server, as editors start it, with one open file. */
export const openInEditor = async (file: string, text: string) => {
  const child = spawn(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '--lsp', '--stdio'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const waiting = new Map<number, (result: unknown) => void>()
  let received = Buffer.alloc(0)
  child.stdout.on('data', (part: Buffer) => {
    received = Buffer.concat([received, part])
    for (let message = take(); message !== undefined; message = take()) {
      const { id, method, result } = JSON.parse(message) as { id?: number; method?: string; result?: unknown }
      if (id === undefined) continue
      // Requests of the server, such as for settings, get null.
      if (method === undefined) waiting.get(id)?.(result)
      else send({ id, result: method === 'workspace/configuration' ? [null] : null })
    }
  })
  const take = (): string | undefined => {
    const end = received.indexOf('\r\n\r\n')
    const length = Number(/Content-Length: (\d+)/i.exec(received.toString('latin1', 0, Math.max(end, 0)))?.[1])
    if (end < 0 || received.length < end + 4 + length) return undefined
    const message = received.toString('utf8', end + 4, end + 4 + length)
    received = received.subarray(end + 4 + length)
    return message
  }
  const send = (message: object) => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }
  let calls = 0
  const request = (method: string, params: object) =>
    new Promise<unknown>((resolve) => {
      calls += 1
      waiting.set(calls, resolve)
      send({ id: calls, method, params })
    })

  const uri = String(pathToFileURL(file))
  await request('initialize', {
    processId: process.pid,
    rootUri: null,
    capabilities: { textDocument: { hover: { contentFormat: ['markdown'] } } },
  })
  send({ method: 'initialized', params: {} })
  send({
    method: 'textDocument/didOpen',
    params: { textDocument: { uri, languageId: 'typescript', version: 1, text } },
  })

  /** The place right after the first occurrence of a text. */
  const after = (part: string) => {
    const before = text.slice(0, text.indexOf(part) + part.length).split('\n')
    return { line: before.length - 1, character: before.at(-1)?.length ?? 0 }
  }
  const at = (part: string) => ({ textDocument: { uri }, position: after(part) })

  return {
    /** What the editor shows for the word that ends there. */
    hover: async (part: string) => {
      const { line, character } = after(part)
      const position = { line, character: character - 1 }
      const answer = (await request('textDocument/hover', { textDocument: { uri }, position })) as {
        contents: { value: string }
      } | null
      return answer?.contents.value ?? ''
    },
    /** The names that the editor offers there, with their documentation. */
    completions: async (part: string): Promise<Map<string, string>> => {
      const answer = (await request('textDocument/completion', at(part))) as { items: { label: string }[] }
      const resolved = await Promise.all(answer.items.map((item) => request('completionItem/resolve', item)))
      return new Map(
        (resolved as { label: string; documentation?: { value: string } }[]).map(({ label, documentation }) => [
          label.replace(/\?$/, ''),
          documentation?.value ?? '',
        ]),
      )
    },
    close: () => child.kill(),
  }
}
