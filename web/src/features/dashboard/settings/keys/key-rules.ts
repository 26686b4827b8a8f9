import type { ApiKey, NewApiKey, Scope } from '@countersign/sdk/contract'

export const keyStateOf = ({
  is_active,
  revoked_at,
}: Pick<ApiKey, 'is_active' | 'revoked_at'>): 'active' | 'expired' | 'revoked' =>
  revoked_at !== null ? 'revoked' : is_active ? 'active' : 'expired'

export const expiries = ['30', '90', '365', 'date', 'never'] as const
export type Expiry = (typeof expiries)[number]

/** The fields of the form. */
export interface KeyForm {
  name: string
  isRestricted: boolean
  scopes: readonly Scope[]
  expiry: Expiry
  /** `YYYY-MM-DD`, if the expiry is a date. */
  date: string
}

export const emptyKeyForm: KeyForm = { name: '', isRestricted: true, scopes: ['links'], expiry: '90', date: '' }

/** A member's key may do no more than their role; `limit` is null for everything. */
export const emptyKeyFormOf = (limit: readonly Scope[] | null): KeyForm => ({
  ...emptyKeyForm,
  scopes: limit === null || limit.includes('links') ? emptyKeyForm.scopes : limit,
})

const dayMs = 86_400_000
const mostDays = 3_650

/** Days from today to a day, both in UTC; undefined if a key can't expire on it. */
export const daysUntil = (date: string, now: number): number | undefined => {
  const days = (Date.parse(date) - Math.floor(now / dayMs) * dayMs) / dayMs
  return Number.isInteger(days) && days >= 1 && days <= mostDays ? days : undefined
}

export const dateAfter = (days: number, now: number) => new Date(now + days * dayMs).toISOString().slice(0, 10)

const expiryOf = ({ expiry, date }: KeyForm, now: number): number | undefined => {
  if (expiry === 'never') return undefined
  return expiry === 'date' ? daysUntil(date, now) : Number(expiry)
}

/** The invalid fields, in order. */
export const badFieldsOf = (form: KeyForm, now: number): readonly ('name' | 'scopes' | 'date')[] => [
  ...(form.name.trim() === '' ? (['name'] as const) : []),
  ...(form.isRestricted && form.scopes.length === 0 ? (['scopes'] as const) : []),
  ...(form.expiry === 'date' && daysUntil(form.date, now) === undefined ? (['date'] as const) : []),
]

export const newKeyOf = (form: KeyForm, now: number): NewApiKey => {
  const expires_in_days = expiryOf(form, now)
  return {
    name: form.name,
    scopes: form.isRestricted ? [...form.scopes] : ['full'],
    ...(expires_in_days !== undefined && { expires_in_days }),
  }
}

/** Shell lines that set the key and try it. */
export const shellLines = (key: string, registry: string) =>
  [`export COUNTERSIGN_API_URL=${registry}`, `export COUNTERSIGN_API_KEY=${key}`, 'countersign whoami'].join('\n')
