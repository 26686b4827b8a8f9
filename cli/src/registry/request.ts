import { type Route, routes } from '@countersign/sdk/contract'
import { maskKey } from '../config/credential.ts'
import type { Profile } from '../config/profile.ts'
import type { Context } from '../context.ts'

type Routes = typeof routes

/** `--dry-run`: prints what would be sent. */
export const printRequest = <Feature extends keyof Routes>(
  { out, setting }: Context,
  feature: Feature,
  name: keyof Routes[Feature],
  params: Readonly<Record<string, string>>,
  body: object | null,
  headers?: Readonly<Record<string, string>>,
) => {
  const { method, path } = (routes[feature] as Record<keyof Routes[Feature], Route>)[name]
  const url = new URL(
    path.replace(/:([a-z_]+)/g, (_, key: string) => encodeURIComponent(params[key] ?? '')),
    setting('api_url'),
  ).href
  const value = { dry_run: true, method, url, ...(headers && { headers }), body }
  const sent = Object.entries(headers ?? {}).map(([name, text]) => `${name}: ${text}\n`)
  out.print({
    value,
    ids: [],
    text: () => `${method} ${url}\n${sent.join('')}${body === null ? '' : JSON.stringify(body, null, 2)}`,
  })
}

/** `--dry-run` for local changes: prints the file and the changes. `null` marks a removed value. */
export const printChange = ({ out }: Context, file: string, changes: Profile & { profile?: string }) => {
  const shown = Object.entries(changes).map(
    ([name, value]) => [name, name === 'api_key' && value ? maskKey(value) : (value ?? null)] as const,
  )
  const value = { dry_run: true, file, changes: Object.fromEntries(shown) }
  out.print({ value, ids: [], text: () => `${file}\n${JSON.stringify(value.changes, null, 2)}` })
}
