import { type Provider, ProviderUpdate } from '@countersign/sdk/contract'
import type { valuesOf } from './typed-values.ts'

export type Values = ReturnType<typeof valuesOf>
export type ValueName = keyof Values

/** Only the fields changed since `before`. Includes name and website only if they were empty. */
export const changesOf = (before: Values, after: Partial<Values>) => {
  const names = (Object.keys(before) as ValueName[]).filter((name) => {
    if (after[name] === undefined || after[name] === before[name]) return false
    return (name !== 'company_name' && name !== 'website') || before[name] === ''
  })
  return Object.fromEntries(names.map((name) => [name, after[name]]))
}

/** The validated values to send. */
export const inputOf = ({ founded_year, employee_count, ...rest }: Partial<Values>) => ({
  ...rest,
  ...(employee_count !== undefined && { employee_count: employee_count as ProviderUpdate['employee_count'] }),
  ...(founded_year !== undefined && {
    founded_year: founded_year.trim() === '' ? ('' as const) : Number(founded_year),
  }),
})

/** The contract's errors by field; `notAYear` is the message for an invalid year. */
export const problemsOf = (changes: Partial<Values>, notAYear: string): Partial<Record<ValueName, string>> => {
  const parsed = ProviderUpdate.safeParse(inputOf(changes))
  if (parsed.success) return {}
  const problems = parsed.error.issues.toReversed().map(({ path, message }) => {
    const name = String(path[0]) as ValueName
    return [name, name === 'founded_year' && !/^\d+$/.test(changes.founded_year?.trim() ?? '') ? notAYear : message]
  })
  return Object.fromEntries(problems)
}

/** The fields required for registration. */
export const hasRequired = (
  { company_name, website }: Pick<Values, 'company_name' | 'website'>,
  email: string | null,
) => company_name.trim() !== '' && website.trim() !== '' && email !== null && email !== ''

export type SaveOutcome = 'plain' | 'confirmed' | 'reset'

/** How saving affected the domain's proof. */
export const outcomeOf = (
  before: Pick<Provider, 'domain_verified'>,
  after: Pick<Provider, 'domain_verified'> & { domain_verification_updated: boolean },
): SaveOutcome => {
  if (!after.domain_verification_updated) return 'plain'
  if (after.domain_verified) return 'confirmed'
  return before.domain_verified ? 'reset' : 'plain'
}
