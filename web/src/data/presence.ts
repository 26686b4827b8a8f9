import type { Act } from '@countersign/sdk/contract'
import type { PresenceRequest } from './use-presence-request.ts'

const digestOf = async (body: string) => {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(body)))
  return `sha256:${[...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** Whether a rejected call needs its person, and they have confirmed it: then it can be repeated. */
export const isApproved = async (url: string, init: RequestInit | undefined, response: Response): Promise<boolean> => {
  const { body = '', method } = init ?? {}
  const problem = await response
    .clone()
    .json()
    .catch(() => ({}))
  if (problem.code !== 'presence_required' || typeof body !== 'string') return false
  const { pathname, search } = new URL(url)
  const act = { method: method as Act['method'], path: pathname + search, body_digest: await digestOf(body) }
  return new Promise((settle) => {
    dispatchEvent(new CustomEvent<PresenceRequest>('presence', { detail: { act, settle } }))
  })
}
