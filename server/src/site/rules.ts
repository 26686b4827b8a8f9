import { isSampleName, sampleWords } from '@countersign/sdk/words/samples'

/** An address of the console as the server knows it, with the text for visitors without scripts. */
export interface Address {
  /** As the console's router spells it. */
  path: `/${string}`
  title: string
  description: string
  /** The page's file in the console's sources; its code is preloaded. */
  chunk: string
  /** What search engines may index. Account pages may have a secret in their address, so they are never cached. */
  keeping: 'indexed' | 'indexed without query' | 'secret'
  /** Whether the head depends on registered data, or on nothing although the page is about one link. */
  about?: 'model' | 'provider' | 'link'
  /** The heading of the page, in the console's words: it is shown before the console loads. */
  beginning?: { heading: string; text: string }
  /** Whether the page is a sample, or the list of them. */
  samples?: 'one' | 'list'
}

const open = (path: Address['path'], chunk: string, title: string, description: string): Address => ({
  path,
  chunk,
  title,
  description,
  keeping: 'indexed',
})

const account = (path: Address['path'], chunk: string, title: string): Address => ({
  path,
  chunk,
  title,
  description: 'For people with an account on this registry.',
  keeping: 'secret',
})

/** The same for every link, valid or not: a preview outlives the link and must not look like a result. */
const link = (path: Address['path'], chunk: string): Address => ({
  path,
  chunk,
  title: 'Verification link: open to check',
  description: 'Open the link to see what was checked and when. This preview is not proof.',
  keeping: 'secret',
  about: 'link',
})

/** The same head for every sample: it must not look like a result in a preview or a search engine. */
const sample: Address = {
  ...open('/sample/:name', 'link/sample/sample-page', sampleWords.title, sampleWords.intro),
  keeping: 'secret',
  samples: 'one',
}

const home = 'Countersign: see which company vouches for an AI'

export const addresses: readonly Address[] = [
  {
    ...open(
      '/',
      'home/home-page',
      home,
      'Companies prove their domains and register their AI models. Ask a model for its link and check it here.',
    ),
    beginning: {
      heading: 'See which company vouches for an AI.',
      text: 'Verification in real time: companies prove their domains and register their models here. Ask a model for proof, and its link shows who requested it, for which model, and how far that is proven.',
    },
  },
  open(
    '/providers',
    'providers/provider-list-page',
    'Providers',
    'The companies in this registry, each with its proven domain, if any.',
  ),
  {
    ...open('/providers/:id', 'providers/provider-page', 'Provider', 'A provider in this registry.'),
    keeping: 'indexed without query',
    about: 'provider',
  },
  {
    ...open(
      '/models',
      'models/list/model-list-page',
      'Models',
      'The AI models in this registry, and the companies behind them.',
    ),
    keeping: 'indexed without query',
  },
  {
    ...open('/models/:id', 'models/detail/model-page', 'Model', 'A model in this registry.'),
    keeping: 'indexed without query',
    about: 'model',
  },
  {
    ...open('/search', 'search/search-page', 'Search', 'Search the providers and models of this registry.'),
    keeping: 'indexed without query',
  },
  {
    ...open(
      '/docs',
      'docs/docs-page',
      'Documentation',
      'How to register a provider and its models, issue verification links and check them.',
    ),
    beginning: {
      heading: 'Documentation',
      text: 'An AI can say anything about itself. With Countersign its company vouches for it: your server requests a short link from this registry, your AI gives the link to the person who asked, and its page says which company requested it, for which model, and until when it is valid.',
    },
  },
  open(
    '/about',
    'about/about-page',
    'About',
    'What this registry checks, how a verification link works, and what it does not prove.',
  ),
  open('/privacy', 'privacy/privacy-page', 'Privacy', 'What this registry stores about its users, and for how long.'),
  open('/contact', 'contact/contact-page', 'Contact', 'How to reach the people who run this registry.'),
  open(
    '/chat',
    'chat/chat-page',
    'Demo chat',
    'Ask a simulated model who it is, and open the verification link in its answer.',
  ),
  open(
    '/verify-model',
    'verify-model/verify-model-page',
    'Verify your model',
    'How to register a model, so that its links show which company vouches for it.',
  ),
  open(
    '/challenge',
    'challenge/challenge-page',
    'Challenge an AI',
    'Give an AI a phrase, and see whether its verification link contains it.',
  ),
  {
    ...open('/sample', 'link/sample/sample-index-page', sampleWords.heading, sampleWords.intro),
    samples: 'list',
  },
  sample,
  link('/v', 'link/box/code-page'),
  link('/v/:token', 'link/link-page'),
  link('/verify', 'link/box/code-page'),
  link('/verify/:token', 'link/link-page'),
  account('/login', 'account/sign-in/login-page', 'Sign in'),
  account('/register', 'account/registration/register-page', 'Register as a provider'),
  account('/verify-email/:token', 'account/email/verify-email-page', 'Verify your address'),
  account('/auth-setup', 'account/password/auth-setup-page', 'Set up your account'),
  account('/setup-password', 'account/password/auth-setup-page', 'Set up your account'),
  account('/restore-address', 'account/email/restore-address-page', 'Take back your address'),
  account('/recover', 'account/recovery/recover-page', 'Recover your account'),
  account('/undo-change', 'account/undo-change-page', 'Undo a change'),
  account('/invitation', 'account/invitation/invitation-page', 'Invitation'),
  account('/device', 'account/device/device-page', 'Sign in a device'),
  account('/auth/callback', 'account/sign-in/auth-callback-page', 'Signing in'),
  account('/email-verified', 'account/email/email-verified-page', 'Your address'),
  account('/dashboard', 'dashboard/dashboard-page', 'Dashboard'),
  account('/dashboard/providers/profile', 'account/profile/profile-page', 'Complete your profile'),
  account('/dashboard/providers/dashboard', 'dashboard/dashboard-page', 'Dashboard'),
  account('/dashboard/models/register', 'dashboard/register/register-model-page', 'Register a model'),
]

const unknownAddress = {
  path: '/404',
  chunk: 'not-found/not-found-page',
  title: 'Page not found',
  description: 'There is no such page in this registry.',
  keeping: 'secret',
} as const satisfies Address

/** Where a path leads, and what it names. */
export interface Destination {
  address: Address
  /** There is no such page, even if the address looks like one. */
  isUnknown: boolean
  params: Readonly<Record<string, string>>
}

/** The console's router accepts any case and a trailing slash. */
const partsOf = (path: string) => {
  const parts = path.split('/').slice(1)
  while (parts.at(-1) === '') parts.pop()
  return parts
}

const decode = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

const match = (address: Address, parts: readonly string[]): Destination | undefined => {
  const pattern = partsOf(address.path)
  if (pattern.length !== parts.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, name] of pattern.entries()) {
    const part = parts[index] ?? ''
    if (name.startsWith(':')) {
      if (part === '') return undefined
      params[name.slice(1)] = decode(part)
    } else if (part.toLowerCase() !== name) return undefined
  }
  if (address.samples === 'one' && !isSampleName(params.name ?? '')) return undefined
  return { address, isUnknown: false, params }
}

/** What is at a path. Anything that begins like a link is treated as one: it may still contain a code. */
export const findDestination = (path: string): Destination => {
  const parts = partsOf(path)
  for (const address of addresses) {
    const found = match(address, parts)
    if (found) return found
  }
  const address = /^\/(v|verify)(\/|$)/i.test(path) ? link('/v', unknownAddress.chunk) : unknownAddress
  return { address, isUnknown: true, params: {} }
}
