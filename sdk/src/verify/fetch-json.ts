import { isCacheKnown } from './cache-mode.ts'

/** How to ask a registry, and how much to read. */
export interface JsonRequest {
  fetch: typeof globalThis.fetch
  maxLength: number
  timeoutMs: number
}

/** Fetches JSON, past every cache. A redirect is an error, because another host could answer. Errors begin with `failure`. */
export const fetchJson = async (
  failure: string,
  url: string,
  { fetch, maxLength, timeoutMs }: JsonRequest,
): Promise<unknown> => {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new Error(`No answer in ${timeoutMs} ms`)), timeoutMs)
  try {
    const response = await fetch(url, {
      headers: { Accept: 'application/json' },
      redirect: 'manual',
      signal: controller.signal,
      ...(isCacheKnown() && { cache: 'no-store' }),
    })
    if (response.status !== 200) throw new Error(`status ${response.status}`)
    const decoder = new TextDecoder()
    let text = ''
    const reader = response.body?.getReader()
    for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
      text += decoder.decode(part.value, { stream: true })
      if (text.length > maxLength) throw new Error('too long')
    }
    return JSON.parse(text + decoder.decode())
  } catch (cause) {
    throw new Error(`${failure}: ${(cause as Error).message}`, { cause })
  } finally {
    clearTimeout(timer)
    controller.abort()
  }
}
