import type { LogPolicy } from '@countersign/sdk/log'
import { createLogSource, type LogSource } from './log-source.ts'
import { hashOfOrigin } from './witness/checkpoint-store.ts'

/** Where the witnesses of the policy that have an address show the newest tree that they have seen, by their names. */
export const witnessSources = (
  policy: LogPolicy,
  get: Parameters<typeof createLogSource>[1],
): ReadonlyMap<string, LogSource> => {
  const origin = policy.logs[0]?.key.name ?? ''
  return new Map(
    [...policy.witnesses].flatMap(([name, { url }]) =>
      url === undefined
        ? []
        : [[name, createLogSource(`${url.replace(/\/+$/, '')}/${hashOfOrigin(origin)}`, get)] as const],
    ),
  )
}

/** Over TLS, or on this machine. */
export const isUnchangedOnItsWay = (url: string): boolean => {
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}
