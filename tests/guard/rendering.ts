import MarkdownIt from 'markdown-it'
import { Marked } from 'marked'
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5'

type Node = DefaultTreeAdapterTypes.ChildNode

/** A link. `isItself`: it shows only its own address. */
interface Lead {
  href: string
  isItself: boolean
}

/** The visible text, character by character, and the link that each is part of. */
interface Page {
  text: string
  leads: readonly (Lead | null)[]
  /** The addresses of all its links. */
  addresses: ReadonlySet<string>
}

const withTags = new MarkdownIt({ html: true, linkify: true })
const withoutTags = new MarkdownIt({ linkify: true })
// Make links of bare names, as of those under a common top-level domain.
for (const { linkify } of [withTags, withoutTags]) linkify.tlds('example', true)
const gfm = new Marked({ gfm: true, async: false })

/** The content of the braces at a position and where they end; undefined if there are none. */
const groupAt = (text: string, at: number): { inner: string; end: number } | undefined => {
  const from = at + (/^(?:\s|%[^\n]*\n)*/.exec(text.slice(at))?.[0].length ?? 0)
  if (text[from] !== '{') return undefined
  for (let end = from, depth = 0; end < text.length; end++) {
    if (text[end] === '\\') end++
    else if (text[end] === '{') depth++
    else if (text[end] === '}' && --depth === 0) return { inner: text.slice(from + 1, end), end: end + 1 }
  }
  return undefined
}

const escapeHtml = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;')

/** The visible text of a formula as KaTeX shows it: without spaces, braces and commands. */
const renderTex = (text: string): string => {
  const at = text.search(/\\href(?![a-zA-Z])/)
  if (at < 0) return escapeHtml(text)
  const address = groupAt(text, at + 5)
  const label = address && groupAt(text, address.end)
  if (address === undefined || label === undefined)
    return escapeHtml(text.slice(0, at + 5)) + renderTex(text.slice(at + 5))
  const inner = label.inner.replace(/\\(?!href)[a-zA-Z]+|[\s{}]/g, '')
  const shown = label.inner.includes('\\href') ? renderTex(label.inner) : escapeHtml(inner)
  return `${escapeHtml(text.slice(0, at))}<a href="${escapeHtml(address.inner)}">${shown}</a>${renderTex(text.slice(label.end))}`
}

/** The programs that show a model's output, each as a function that returns HTML. */
export const renderers: Readonly<Record<string, (text: string) => string>> = {
  'markdown-it with HTML': (text) => withTags.render(text),
  'markdown-it without HTML': (text) => withoutTags.render(text),
  marked: (text) => String(gfm.parse(text)),
  HTML: (text) => text,
  TeX: renderTex,
}

const inline =
  /^(?:a|abbr|b|bdi|bdo|big|cite|code|del|dfn|em|font|i|ins|kbd|label|mark|nobr|q|s|samp|small|span|strike|strong|sub|sup|tt|u|var|wbr|img|svg|area)$/
const hidden = /^(?:script|style|template|title|head|noscript|noembed|noframes|iframe)$/
const base = 'https://chat.example/'

/** The address that a click on the element opens: from any MathML element, and in HTML from anchors and areas. */
const followed = (node: DefaultTreeAdapterTypes.Element) =>
  node.tagName === 'a' || node.tagName === 'area' || node.namespaceURI.includes('MathML')
    ? (attribute(node, 'href') ?? attribute(node, 'xlink:href'))
    : undefined

const attribute = (node: DefaultTreeAdapterTypes.Element, name: string) =>
  node.attrs.find((given) => given.name === name)?.value

const addressOf = (href: string) => (URL.canParse(href, base) ? new URL(href, base).href : href)

const unescaped = (href: string) =>
  href.replace(/(?:%[0-9a-f]{2})+/gi, (escaped) => {
    try {
      return decodeURIComponent(escaped)
    } catch {
      return escaped
    }
  })

/** An email address, or an address with a user name. */
const hasUser = (href: string) =>
  href.startsWith('mailto:') || (URL.canParse(href, base) && new URL(href, base).username !== '')

/** Addresses as people read them: HTML shows nothing for NUL, or U+FFFD. */
const decoded = (href: string) =>
  unescaped(addressOf(href))
    .replaceAll('\\', '/')
    .replace(/[\0\uFFFD]/g, '')

const show = (html: string): Page => {
  const parts: string[] = []
  const leads: (Lead | null)[] = []
  const addresses = new Set<string>()
  const add = (text: string, lead: Lead | null) => {
    parts.push(text)
    for (let index = 0; index < text.length; index++) leads.push(lead)
  }
  const walk = (nodes: readonly Node[], lead: Lead | null) => {
    for (const node of nodes) {
      if (node.nodeName === '#text' && 'value' in node) add(node.value, lead)
      if (!('tagName' in node)) continue
      if (node.tagName === 'iframe') walk(parseFragment(attribute(node, 'srcdoc') ?? '').childNodes, null)
      if (hidden.test(node.tagName) && !node.namespaceURI.includes('svg')) continue
      const own = followed(node)
      if (own !== undefined) addresses.add(addressOf(own))
      const label = textOf(node.childNodes)
      // The label of a bare address is the address, escaped differently.
      const spelled = label.startsWith('www.') ? [label, `http://${label}`] : [label]
      const isItself =
        own !== undefined && spelled.some((address) => decoded(address) === decoded(own) || address === unescaped(own))
      const leading = own === undefined ? lead : { href: addressOf(own), isItself: isItself && !hasUser(own) }
      if (node.tagName === 'img' || node.tagName === 'area') add(attribute(node, 'alt') ?? '', leading)
      if (!inline.test(node.tagName)) add('\n', null)
      walk(node.childNodes, leading)
      if (!inline.test(node.tagName)) add('\n', null)
    }
  }
  walk(parseFragment(html).childNodes, null)
  return { text: parts.join(''), leads, addresses }
}

const textOf = (nodes: readonly Node[]): string =>
  nodes.map((node) => ('value' in node ? node.value : 'childNodes' in node ? textOf(node.childNodes) : '')).join('')

/** Letters of other alphabets that the generated outputs contain. */
const latinOf: Readonly<Record<string, string>> = { е: 'e', ѕ: 's' }

/** The visible text in lower case. */
const read = ({ text, leads, addresses }: Page): Page => {
  const stored: [string, Lead | null][] = []
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    if (character < '\u007f') {
      stored.push([character.toLowerCase(), leads[at] ?? null])
      continue
    }
    if (/[\p{Default_Ignorable_Code_Point}\p{M}]/u.test(character)) continue
    for (const sign of latinOf[character] ?? character.normalize('NFKC').toLowerCase())
      stored.push([sign, leads[at] ?? null])
  }
  return { text: stored.map(([sign]) => sign).join(''), leads: stored.map(([, lead]) => lead), addresses }
}

/** As shown in text that runs from right to left. */
export const reverse = (text: string): string => Array.from(text).reverse().join('')

/** The positions where a name or a code is not part of a longer word. */
const placesOf = (text: string, part: string) =>
  !text.includes(part)
    ? []
    : Array.from(
        text.matchAll(new RegExp(`(?<![a-z0-9-])${part.replaceAll('.', '\\.')}(?![a-z0-9-])`, 'g')),
        ({ index }) => index,
      )

export interface Registry {
  host: string
  /** The links of the session. */
  own: readonly { url: string; code: string }[]
  /** Codes of other sessions. */
  foreign: readonly string[]
}

const isOfRegistry = (href: string, { host }: Registry) => {
  const url = URL.canParse(href) ? new URL(href) : undefined
  return (
    url?.host === host ||
    (url?.protocol === 'mailto:' && [`@${host}`, `.${host}`].some((end) => url.href.endsWith(end)))
  )
}

/** The registry's name is only the beginning of the host's. */
const isLongerName = (href: string, { host }: Registry) =>
  URL.canParse(href) && new URL(href).hostname.startsWith(`${host}.`)

/** An issued link; programs that turn addresses into links include characters after it. */
const isOwn = (href: string, { own }: Pick<Registry, 'own'>) =>
  own.some(({ url }) => href.startsWith(url) && !/[\w/?#@=-]/.test(href[url.length] ?? ' '))

/** An own link followed directly by a word, which leads to no page. */
const isGarbled = (href: string, { own }: Registry) =>
  own.some(({ url }) => href.startsWith(url) && /^[^/?#\\]+$/.test(href.slice(url.length)))

/** Links that show the registry but lead elsewhere, and links to the registry that the session was not given. */
export const findLies = (html: string, registry: Registry): string[] => {
  const page = show(html)
  const { text, leads } = read(page)
  const shown = [registry.host, reverse(registry.host), ...registry.own.map(({ code }) => code.toLowerCase())]
  const elsewhere = shown.flatMap((part) =>
    placesOf(text, part).flatMap((at) => {
      const shownLeads = leads.slice(at, at + part.length)
      const wrong = shownLeads.find(
        (lead) =>
          lead !== null &&
          !isOwn(lead.href, registry) &&
          !isOfRegistry(lead.href, registry) &&
          // A bare address that begins or ends within the name, or whose host begins with it, shows another one.
          !(lead.isItself && shownLeads.every((other) => other === lead) && !isLongerName(lead.href, registry)),
      )
      return wrong == null ? [] : [`${part} leads to ${wrong.href}`]
    }),
  )
  const others = [...page.addresses].filter(
    (href) =>
      isOfRegistry(href, registry) &&
      !isOwn(href, registry) &&
      !isGarbled(href, registry) &&
      // The address that programs find if they end the name elsewhere: the home page, which describes no provider.
      ![`http://${registry.host}/`, `https://${registry.host}/`].includes(href),
  )
  const codes = registry.foreign.filter((code) => placesOf(text, code.toLowerCase()).length > 0)
  return [...elsewhere, ...others.filter((href) => !href.startsWith('mailto:')), ...codes]
}

/** Whether a link of the session is intact: it leads to itself and shows no other name. */
export const isGood = (html: string, { url, code }: Registry['own'][number], mustLead: boolean): boolean => {
  const { text, leads } = read(show(html))
  const leadsToIt = (lead: Lead | null) => lead !== null && isOwn(lead.href, { own: [{ url, code }] })
  const isShownElsewhere = placesOf(text, code.toLowerCase()).some((at) =>
    leads.slice(at, at + code.length).some((lead) => lead !== null && !lead.isItself && !leadsToIt(lead)),
  )
  return !isShownElsewhere && (!mustLead || leads.some(leadsToIt))
}
