import type { Act } from '@countersign/sdk/contract'
import { useSyncExternalStore } from 'react'

/** A call that the registry does only for a person who is there. */
export interface PresenceRequest {
  act: Act
  settle: (isProven: boolean) => void
}

let current: PresenceRequest | null = null
const listeners = new Set<() => void>()

const show = (request: PresenceRequest | null) => {
  current = request
  for (const listener of listeners) listener()
}

/** Resolves once the person has confirmed the call, or declined. A second call declines the first. */
export const askForPresence = (act: Act): Promise<boolean> => {
  current?.settle(false)
  return new Promise((resolve) => {
    show({
      act,
      settle: (isProven) => {
        show(null)
        resolve(isProven)
      },
    })
  })
}

export const usePresenceRequest = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
  )

const digestOf = async (body: string) => {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(body)))
  return `sha256:${[...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** The call that a rejected request made; undefined if the request needs something else, or cannot be repeated exactly. */
export const actToApprove = async (url: string, init: RequestInit | undefined, response: Response) => {
  const { body = '', method } = init ?? {}
  if (response.status !== 403 || typeof body !== 'string') return undefined
  const problem = await response
    .clone()
    .json()
    .catch(() => ({}))
  if (problem.code !== 'presence_required') return undefined
  const { pathname, search } = new URL(url)
  return { method: method as Act['method'], path: pathname + search, body_digest: await digestOf(body) }
}
