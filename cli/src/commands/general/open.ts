import { formatLinkCode, isId, readLink } from '@countersign/sdk/verify'
import { type Declare, example } from '../../args/command.ts'
import type { Context } from '../../context.ts'
import { usage } from '../../failure.ts'
import { openInBrowser } from '../../io/browser.ts'

export const declare: Declare = (open) => {
  open
    .description(
      'Opens what you name in the browser: a link, a code in any spelling, the ID of a model or provider, a digest, a domain, or words to search for. Without an argument, your dashboard.',
    )
    .argument('[what]', 'what to open', 'text')
    .option('--print', 'only print the address')
    .action(async (context, { args: [what = ''], flags }) => {
      const url = new URL(await pathOf(what.trim(), context), originOf(context)).href
      if (!flags.isOn('print')) await openInBrowser(url, context.env)
      context.out.print({ value: { url }, ids: [url], text: () => url })
    })
  example(open, 'open', 'open acme.example', 'open W904-2CKW-GDNC-X7S1', 'open mdl_06h0avn7m9rg9as28ypcxn2c60 --print')
}

const originOf = ({ setting }: Context) => new URL(setting('api_url') ?? '').origin

const searchPath = (text: string) => `/search?q=${encodeURIComponent(text)}`

const pathOf = async (typed: string, context: Context): Promise<string> => {
  if (typed === '') return '/dashboard'
  if (isId('mdl', typed)) return `/models/${typed}`
  if (isId('prv', typed)) return `/providers/${typed}`
  const link = readLink(typed)
  if (link.origin !== null && link.origin !== originOf(context))
    throw usage(
      `This link belongs to ${new URL(link.origin).host}, not to ${new URL(originOf(context)).host}`,
      'If you trust that registry, name it with --api-url.',
    )
  if (link.kind === 'code') return `/v/${formatLinkCode(link.code)}`
  if (link.kind === 'token') return `/verify/${link.token}`
  if (/^([a-z0-9-]+\.)+[a-z][a-z0-9-]*$/i.test(typed)) return providerPath(typed.toLowerCase(), context)
  return searchPath(typed)
}

/** The provider that proved the domain; without one, the results for it. */
const providerPath = async (domain: string, { connect }: Context) => {
  const { providers } = await (await connect({ key: 'none' })).search.find({ q: domain, limit: 1 })
  const [provider] = providers
  return provider?.domain_verified && provider.domain === domain ? provider.url : searchPath(domain)
}
