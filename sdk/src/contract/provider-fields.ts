/*
 * What a provider states of itself: one row for each field. The schemas of the contract, the columns of the server, the options of
 * the command line, the forms and the public page come from these rows. Plain data: public pages read it without zod.
 */
import { tagOf } from './edit-tag.ts'
import { limits } from './limits.ts'

/** Numbers of employees to choose from. */
export const companySizes = ['1-10', '11-50', '51-200', '201-500', '500+'] as const

/** How a field is checked, stored and typed in. */
export type ProviderFieldKind =
  /** Name and website: set by the registration, then changed but never removed. */
  | 'required'
  /** Text of several lines. */
  | 'text'
  | 'line'
  | 'email'
  | 'url'
  | 'year'
  /** One of few words. */
  | 'choice'
  /** A list of short words. */
  | 'words'

/** A field that a provider states of itself. */
export interface ProviderFieldRow {
  /** How the field is checked, stored and typed in. */
  kind: ProviderFieldKind
  /** The most characters or entries. */
  max?: number
  /** `providers.ts` has its schema. Without this it comes from the kind. */
  hasOwnSchema?: true
  /** What pages and forms call it. */
  label: string
  /** `own`: only its provider sees it under this name. */
  shown: 'public' | 'own'
  /** The trail records only that it changed. */
  isPersonal?: true
  /** The section of the form among the additional details; without one the form places the field itself. */
  section?: 'company' | 'places' | 'compliance'
  /** Option of the command line with its value. */
  option: string
  /** What the help of the command line says of the option. */
  help: string
  /** The only words, or those that are offered. */
  choices?: readonly string[]
}

/** What a provider states of itself: one row for each field. */
export const providerFields = {
  company_name: {
    kind: 'required',
    hasOwnSchema: true,
    label: 'Company name',
    shown: 'public',
    option: '--company-name <name>',
    help: 'name of the company',
  },
  website: {
    kind: 'required',
    hasOwnSchema: true,
    label: 'Website',
    shown: 'public',
    option: '--website <url>',
    help: 'a new domain becomes the primary one and must be proven',
  },
  description: {
    kind: 'text',
    max: limits.companyDescription,
    label: 'Description',
    shown: 'public',
    option: '--description <text>',
    help: 'at most 200 characters',
  },
  support_email: {
    kind: 'email',
    label: 'Support email',
    shown: 'own',
    isPersonal: true,
    section: 'company',
    option: '--support-email <address>',
    help: 'the address that visitors see',
  },
  phone_number: {
    kind: 'line',
    max: 60,
    label: 'Phone number',
    shown: 'own',
    isPersonal: true,
    section: 'company',
    option: '--phone-number <number>',
    help: 'only you can see it',
  },
  founded_year: {
    kind: 'year',
    label: 'Founded year',
    shown: 'public',
    section: 'company',
    option: '--founded-year <year>',
    help: 'from 1900',
  },
  employee_count: {
    kind: 'choice',
    hasOwnSchema: true,
    label: 'Employee count',
    shown: 'public',
    section: 'company',
    option: '--employee-count <range>',
    help: 'number of employees',
    choices: companySizes,
  },
  industry: {
    kind: 'line',
    max: 120,
    label: 'Industry',
    shown: 'public',
    section: 'company',
    option: '--industry <text>',
    help: 'industry',
  },
  specialties: {
    kind: 'words',
    max: 20,
    label: 'Specialties',
    shown: 'public',
    section: 'company',
    option: '--specialty <word>',
    help: 'repeatable; replaces the whole list',
  },
  funding_status: {
    kind: 'line',
    max: 120,
    label: 'Funding status',
    shown: 'public',
    section: 'company',
    option: '--funding-status <text>',
    help: 'funding',
  },
  hq_city: {
    kind: 'line',
    max: 120,
    label: 'Headquarters city',
    shown: 'own',
    section: 'places',
    option: '--hq-city <city>',
    help: 'city of the headquarters',
  },
  hq_state: {
    kind: 'line',
    max: 120,
    label: 'Headquarters state',
    shown: 'own',
    section: 'places',
    option: '--hq-state <state>',
    help: 'state of the headquarters',
  },
  hq_country: {
    kind: 'line',
    max: 120,
    label: 'Headquarters country',
    shown: 'own',
    section: 'places',
    option: '--hq-country <country>',
    help: 'country of the headquarters',
  },
  github_url: {
    kind: 'url',
    label: 'GitHub',
    shown: 'public',
    section: 'places',
    option: '--github-url <url>',
    help: 'page on GitHub',
  },
  linkedin_url: {
    kind: 'url',
    label: 'LinkedIn',
    shown: 'public',
    section: 'places',
    option: '--linkedin-url <url>',
    help: 'page on LinkedIn',
  },
  twitter_url: {
    kind: 'url',
    label: 'Twitter',
    shown: 'public',
    section: 'places',
    option: '--twitter-url <url>',
    help: 'page on Twitter',
  },
  api_documentation_url: {
    kind: 'url',
    label: 'API documentation',
    shown: 'public',
    section: 'places',
    option: '--api-documentation-url <url>',
    help: 'documentation of your API',
  },
  support_url: {
    kind: 'url',
    label: 'Support page',
    shown: 'public',
    section: 'places',
    option: '--support-url <url>',
    help: 'where users get help',
  },
  trust_center_url: {
    kind: 'url',
    label: 'Trust center',
    shown: 'public',
    section: 'places',
    option: '--trust-center-url <url>',
    help: 'your trust center',
  },
  compliance_certifications: {
    kind: 'words',
    max: 20,
    label: 'Compliance certifications',
    shown: 'public',
    section: 'compliance',
    option: '--certification <name>',
    help: 'shown as your own claim; repeatable; replaces the whole list',
  },
  ai_specific_certifications: {
    kind: 'words',
    max: 20,
    label: 'AI-specific certifications',
    shown: 'own',
    section: 'compliance',
    option: '--ai-certification <name>',
    help: 'shown as your own claim; repeatable; replaces the whole list',
  },
} as const satisfies Record<string, ProviderFieldRow>

/** The type of `providerFields`. */
export type ProviderFields = typeof providerFields
/** The name of a field of a provider. */
export type ProviderField = keyof ProviderFields
/** The fields whose rows have some property. */
export type ProviderFieldWith<Part> = {
  [Name in ProviderField]: ProviderFields[Name] extends Part ? Name : never
}[ProviderField]

/** The rows, in order. */
export const providerFieldRows = Object.entries(providerFields) as [ProviderField, ProviderFieldRow][]

/** The names of the fields whose rows have some property, in order. */
export const providerFieldsWith = <const Part extends Partial<ProviderFieldRow>>(part: Part) =>
  providerFieldRows
    .filter(([, row]) => Object.entries(part).every(([name, value]) => row[name as keyof ProviderFieldRow] === value))
    .map(([name]) => name) as ProviderFieldWith<Part>[]

/** The `ETag` of a provider: changes when one of its editable fields does, and not with its numbers. */
export const tagOfProvider = (provider: object) =>
  tagOf(provider, [...providerFieldRows.map(([name]) => name), 'is_listed'])
