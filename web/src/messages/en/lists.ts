import { type PublicProvider, shortened } from '@countersign/sdk/contract'
import { formatDay, formatNumber, locale } from './site.ts'

const filters = {
  label: 'Filters',
  show: 'Filters',
  sort: 'Sort by',
}

const month = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', month: 'short', year: 'numeric' })

/** `2026`, `May 2026` or `3 May 2026`: as exactly as it was stated. */
export const formatRelease = (stated: string): string => {
  const time = Date.parse(stated)
  if (Number.isNaN(time) || /^\d{4}$/.test(stated)) return stated
  return stated.length <= 7 ? month.format(time) : formatDay(stated)
}

/** At most 50 characters and the mark that it was cut. */
export const shortDescription = (text: string): string => shortened(text, 51)

/** The public lists of providers and models. */
export const lists = {
  notStated: 'Not stated',

  providers: {
    title: 'Providers',
    heading: 'Providers',
    intro:
      'Companies that registered here. A verified domain shows who a company is; its name is what it calls itself.',
    register: 'Register as Provider',
    filters: {
      ...filters,
      search: 'Search by company name or description',
      verification: 'Verification status',
      verificationOptions: { all: 'All', verified: 'Verified', unverified: 'Unverified' },
      location: 'Location',
      locationHint: 'City, state or country',
      sortOptions: {
        name: 'Name',
        location: 'Location',
        verification: 'Verification status',
        popularity: 'Popularity',
      },
    },
    columns: { provider: 'Provider', trust: 'Trust Level', status: 'Status', website: 'Website' },
    status: {
      verified: 'Verified',
      partially_verified: 'Email Verified',
      unverified: 'Unverified',
      unregistered: 'Unregistered',
    } satisfies Record<PublicProvider['verification_level'], string>,
    found: (count: number, hasMore: boolean) => {
      const counted = count === 1 && !hasMore ? '1 provider found' : `${formatNumber(count)} providers found`
      return hasMore ? `More than ${counted}` : counted
    },
    loading: 'Loading providers…',
    failed: 'Failed to fetch public providers',
    empty: {
      heading: 'No providers found',
      hint: 'No provider matches these filters.',
      none: 'No provider is listed here yet.',
    },
  },

  models: {
    title: 'Models',
    heading: 'Models',
    intro: 'Models that providers registered here. An entry proves nothing about your chat: ask the model for a link.',
    popular: {
      heading: 'Most Popular Providers',
      newest: (model: string) => `Newest: ${model}`,
      all: (count: number) => (count === 1 ? 'Its model' : `All ${formatNumber(count)} models`),
    },
    filters: {
      ...filters,
      search: 'Search by name, description or provider',
      provider: 'Provider',
      providerHint: 'Type a name or a domain',
      anyProvider: 'Any provider',
      unknownProvider: 'A provider that is not public',
      clearProvider: 'Remove the provider filter',
      suggestions: 'Suggested providers',
      year: 'Release year',
      anyYear: 'Any year',
      context: 'Context window in tokens',
      atLeast: 'At least',
      atMost: 'At most',
      slider: (name: string) => `${name}, slider`,
      tokens: (count: number) => `${formatNumber(count)} tokens`,
      anyContext: 'any',
      contradiction: 'This is less than “At least”, so no model matches.',
      sortOptions: {
        date: 'Date registered (newest first)',
        name: 'Name',
        provider: 'Provider',
        context: 'Context (largest first)',
      },
    },
    columns: {
      name: 'Display Name',
      provider: 'Provider',
      identifier: 'Identifier',
      description: 'Description',
      version: 'Version',
      released: 'Released',
    },
    context: (tokens: number) => `${formatNumber(tokens)} tokens of context`,
    registered: (day: string) => `Registered by this account on ${day}`,
    found: (count: number, hasMore: boolean) => {
      const counted = count === 1 && !hasMore ? '1 model found' : `${formatNumber(count)} models found`
      return hasMore ? `More than ${counted}` : counted
    },
    loading: 'Loading models…',
    failed: 'Failed to fetch public models',
    register: 'Register your model',
    empty: {
      heading: 'No models found',
      hint: 'No model matches these filters.',
      none: 'No public model is registered here yet.',
    },
  },
} as const
