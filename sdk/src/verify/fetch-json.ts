import { isCacheKnown } from './cache-mode.ts'

/** How to ask a registry, and how much to read. */
export interface JsonRequest {
  fetch: typeof globalThis.fetch
  maxLength: number
  timeoutMs: number
}

/** Fetches JSON, past every cache. A redirect is an error, because another host could answer. Errors begin with `what`. */
export const fetchJson = async (
  what: string,
  url: string,
  { fetch, maxLength, timeoutMs }: JsonRequest,
): Promise<unknown> => {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new Error(`No answer within ${timeoutMs} ms`)), timeoutMs)
  try {
    const response = await fetch(url, {
      headers: { Accept: 'application/json' },
      redirect: 'manual',
      signal: controller.signal,
      ...(isCacheKnown() && { cache: 'no-store' }),
    })
    if (response.status !== 200) throw new Error(`${what}: status ${response.status}`)
    const decoder = new TextDecoder()
    let text = ''
    const reader = response.body?.getReader()
    for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
      text += decoder.decode(part.value, { stream: true })
      if (text.length > maxLength) throw new Error(`${what} are too long`)
    }
    return JSON.parse(text + decoder.decode())
  } finally {
    clearTimeout(timer)
    controller.abort()
  }
}
