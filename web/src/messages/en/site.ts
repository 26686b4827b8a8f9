import type { DomainMethod, TrustLevel } from '@countersign/sdk/contract'

/** For dates and numbers. */
export const locale = 'en-GB'

/** Words of every page. */
export const site = {
  product: 'Countersign',
  tagline: 'Cryptographic identity verification for AI models',
  title: (page: string) => `${page} · Countersign`,

  layout: {
    skip: 'Skip to content',
    home: 'Countersign, home',
    main: 'Main',
    models: 'Models',
    providers: 'Providers',
    docs: 'Docs',
    opensInNewTab: 'opens in a new tab',
    checkLink: 'Check a link',
    signIn: 'Sign in',
    signOut: 'Sign Out',
    signedInAs: (name: string) => `Signed in as ${name}`,
    loading: 'Loading...',
    openMenu: 'Open menu',
    closeMenu: 'Close menu',
    menu: 'Menu',
    account: 'Account',
    development: 'Development registry: nothing here proves anything.',
    expired: 'Authentication expired',
    keyRefused: 'Unauthorized - invalid API key',
    /** Why a page requires signing in. */
    signInFirst: {
      registerPage: 'Authentication required. Please log in and complete provider registration.',
      registerDialog: 'Please log in to register a model',
    },
    providerFailed: 'Failed to load provider information',
    setUpFirst: 'Please complete provider registration first',
    footerNote: (host: string) => `You are on ${host}. This registry’s verification links begin with this address.`,
    footerGroups: {
      product: 'Product',
      resources: 'Resources',
      company: 'Company',
    },
    footerLinks: {
      verifyModel: 'Model verification',
      apiDocs: 'API documentation',
      sdk: 'SDK',
      trust: 'Trust and safety',
      quickStart: 'Quick start',
      integration: 'Integration examples',
      reference: 'API reference',
      challenge: 'Challenge an AI',
      publicKeys: 'Public keys',
      about: 'About',
      security: 'Security',
      privacy: 'Privacy policy',
      contact: 'Contact us',
    },
    theme: {
      system: 'Theme: system. Change to light',
      light: 'Theme: light. Change to dark',
      dark: 'Theme: dark. Change to system',
    },
  },

  /** Messages for failed requests without a message from the registry. */
  failure: {
    heading: 'This could not be loaded',
    again: 'Try again',
    noConnection: 'Connection failed - unable to reach the API server.',
    offline: 'You are offline. Please try again when you are back online.',
    tooSlow: 'The registry took too long to answer. Please try again.',
    unexpectedAnswer: (status: number) =>
      `The registry could not answer (status ${status}). Please try again in a minute.`,
    unexpected: 'An unexpected error occurred',
    tryAgainIn: (seconds: number) =>
      seconds === 1 ? 'Please try again in a second.' : `Please try again in ${formatNumber(seconds)} seconds.`,
  },

  list: {
    more: 'Show more',
    loadingMore: 'Loading more…',
    clear: 'Clear All Filters',
  },

  provider: { notProven: 'Domain not verified', unnamed: 'No name given' },

  dialog: { close: 'Close', cancel: 'Cancel' },
  confirm: { type: (name: string) => `Type ${name} to confirm` },
  form: {
    required: 'required',
    optional: 'optional',
    problems: 'Please check the marked fields.',
    showPassword: 'Show password',
    hidePassword: 'Hide password',
  },

  trustLevels: {
    unverified: 'No trust level yet',
    basic: 'Basic',
    standard: 'Standard',
    advanced: 'Advanced',
    premium: 'Premium',
  } satisfies Record<TrustLevel, string>,
  domainMethods: { dns: 'DNS record', file: 'a file on the website' } satisfies Record<DomainMethod, string>,

  error: {
    heading: 'Something went wrong',
    reload: 'Reload Page',
    offline: {
      heading: 'You are offline',
      text: 'This part of the page has not loaded yet. It will load when you are back online, with anything you typed in the dashboard.',
    },
  },

  clipboard: {
    copy: 'Copy',
    copyOf: (what: string) => `Copy ${what}`,
    copied: 'Copied to clipboard!',
    failed: 'Failed to copy to clipboard',
  },
} as const

const dateTime = new Intl.DateTimeFormat(locale, {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})
const date = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' })

/** `20 Nov 2026, 22:44 UTC` */
export const formatTime = (time: string) =>
  Number.isNaN(Date.parse(time)) ? time : `${dateTime.format(new Date(time))} UTC`

export const formatDay = (time: string) => (Number.isNaN(Date.parse(time)) ? time : date.format(new Date(time)))

/** `22:44 UTC` */
export const formatClock = (time: string) => formatTime(time).slice(-9)

const localClock = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const localTime = new Intl.DateTimeFormat(locale, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

/** `23:44` in the reader's time zone; with the date unless it is today. */
export const formatLocalTime = (time: string, today = new Date()) => {
  const at = new Date(time)
  if (Number.isNaN(at.getTime())) return time
  return at.toDateString() === today.toDateString() ? localClock.format(at) : localTime.format(at)
}

/** `12 minutes`, and in the last minute `40 seconds`. */
export const formatMinutesLeft = (ms: number) => {
  const seconds = Math.max(0, Math.ceil(ms / 1_000))
  if (seconds < 60) return seconds === 1 ? '1 second' : `${seconds} seconds`
  const minutes = Math.floor(seconds / 60)
  return minutes === 1 ? '1 minute' : `${minutes} minutes`
}

/** `12 min 33 s`, which cannot be mistaken for a time of day. */
export const formatTimeLeft = (ms: number) => {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

const list = new Intl.ListFormat(locale)

/** `one, two and three` */
export const formatList = (items: readonly string[]) => list.format(items)

const number = new Intl.NumberFormat(locale)

/** `1,048,576` */
export const formatNumber = (value: number) => number.format(value)

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** `4.2 GB` */
export const formatBytes = (bytes: number) => {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1)
  const format = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: units[power] ?? 'byte',
    unitDisplay: 'short',
    maximumFractionDigits: 1,
  })
  return format.format(bytes / 1000 ** power)
}
