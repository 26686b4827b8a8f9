import type { Countersign } from '@countersign/sdk'
import { addDryRun, type Call, type Declare, example, type Flags } from '../../args/command.ts'
import type { Context } from '../../context.ts'
import { usage } from '../../failure.ts'
import { jsonOf } from '../../render/output.ts'
import { withEndpointHint } from './endpoint-hint.ts'
import { readFields } from './fields.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
type Method = (typeof methods)[number]

export const declare: Declare = (api) => {
  addDryRun(
    api
      .description(
        'Sends a request to the registry with your key, and prints the JSON of its answer. A path without a leading slash is under /api/v1/. With GET, fields become the query; otherwise the JSON body. Without a method, it is GET, or POST with fields or --input.',
      )
      .argument('<method-or-path>', `${methods.slice(0, -1).join(', ')} or ${methods.at(-1)}, or only the path`, {
        suggestions: methods,
      })
      .argument('[path]', 'such as models/public or /api/v1/search?q=acme', 'text')
      .option('-F, --field <name=value>', 'a field; true, false, null, whole numbers and @FILE have their types', {
        isRepeated: true,
      })
      .option('-f, --raw-field <name=value>', 'a field that is always text', { isRepeated: true })
      .option('--input <file>', 'JSON file to send as the body, or - for stdin', 'file')
      .option('--paginate', 'get all pages of a list, as one'),
  ).action(callApi)
  example(
    api,
    'api models/public -F search=atlas --paginate --jq ".models[].id"',
    'api POST create-verification -F model_id=mdl_06dh0e3x7c9bw4vjz2n8qk5ytm',
  )
}

const callApi = async (context: Context, { args, flags }: Call) => {
  const { method, given } = readArguments(args, flags)
  const path = given.startsWith('/') ? given : `${/^(api|\.well-known)\//.test(given) ? '/' : '/api/v1/'}${given}`
  if (/^([a-z]+:)?[\\/]{2}/i.test(given))
    throw usage(`Give the path only, not ${JSON.stringify(given)}`, 'For another registry, add: --api-url URL')
  const file = flags.text('input')
  const fields = await readFields(flags.list('field'), flags.list('rawField'), (name) => readText(context, name))
  const hasFields = Object.keys(fields).length > 0
  if (file !== undefined && (hasFields || method === 'GET'))
    throw usage('--input cannot be combined with fields or GET')
  const isPaged = flags.isOn('paginate')
  if (isPaged && method !== 'GET') throw usage('--paginate is for GET only')
  const body = file !== undefined ? readJson(file, await readText(context, file)) : hasFields ? fields : undefined
  const input = method === 'GET' ? { query: fields } : { body: body ?? (method === 'DELETE' ? undefined : {}) }

  if (context.isDryRun) return printDryRun(context, method, path, input)
  const client = await context.connect({ key: 'optional' })
  const value = await (isPaged
    ? allPages(client, path, fields)
    : client.request(method, path, { ...input, signal: context.signal })
  ).catch((error) => {
    throw withEndpointHint(error, method, path)
  })
  context.out.print({ value, ids: idsOf(value), text: () => jsonOf(value, 2) })
}

/** As with `gh api`, a path alone is GET, or POST if something is sent. */
const readArguments = ([first = '', second]: readonly string[], flags: Flags): { method: Method; given: string } => {
  const method = methods.find((each) => each === first.toUpperCase())
  if (method === undefined && second !== undefined)
    throw usage(`${JSON.stringify(first)} is not a method`, `Methods: ${methods.join(', ')}`)
  if (method !== undefined && second === undefined)
    throw usage('Missing: <path>', `Example: countersign api ${method} models/public`)
  if (method !== undefined) return { method, given: second ?? '' }
  const sends = flags.text('input') !== undefined || [...flags.list('field'), ...flags.list('rawField')].length > 0
  return { method: sends && !flags.isOn('paginate') ? 'POST' : 'GET', given: first }
}

interface Input {
  query?: Readonly<Record<string, unknown>>
  body?: unknown
}

const printDryRun = ({ out, setting }: Context, method: Method, path: string, { query, body = null }: Input) => {
  const url = new URL(path, setting('api_url'))
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, String(value))
  const value = { dry_run: true, method, url: url.href, body }
  out.print({ value, ids: [], text: () => `${method} ${url.href}\n${body === null ? '' : jsonOf(body, 2)}` })
}

const readText = async ({ files }: Context, name: string) => new TextDecoder().decode(await files.read(name))

const readJson = (file: string, text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    // The rest of the message quotes the text, which may hold a secret.
    const [place] = /line \d+ column \d+/.exec(String(error)) ?? []
    throw usage(
      `${file === '-' ? 'stdin' : file} is not JSON`,
      place === undefined ? null : `The mistake is at ${place}`,
    )
  }
}

/** The first page with the items of all pages, and no cursor. */
const allPages = async (client: Countersign, path: string, fields: Readonly<Record<string, unknown>>) => {
  const get = async (cursor?: string) => {
    const page = await client.request('GET', path, { query: { ...fields, ...(cursor !== undefined && { cursor }) } })
    if (!isPage(page)) throw usage('This is not a list with pages', 'Call it without --paginate')
    return page
  }
  const first = await get()
  const list = Object.keys(first).find((name) => Array.isArray(first[name]))
  if (list === undefined) return first
  const items = [...(first[list] as unknown[])]
  for (let { next_cursor: cursor } = first; cursor !== null; ) {
    const page = await get(cursor)
    items.push(...(page[list] as unknown[]))
    cursor = page.next_cursor
  }
  return { ...first, [list]: items, next_cursor: null }
}

type Page = Record<string, unknown> & { next_cursor: string | null }

const isPage = (value: unknown): value is Page => typeof value === 'object' && value !== null && 'next_cursor' in value

/** The record's own ID, or those of a list's items. */
const idsOf = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return []
  const records = Array.isArray(value) ? value : 'id' in value ? [value] : Object.values(value).flat()
  return records.flatMap((item: unknown) =>
    typeof item === 'object' && item !== null && 'id' in item && typeof item.id === 'string' ? [item.id] : [],
  )
}
