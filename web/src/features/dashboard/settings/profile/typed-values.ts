import { type Provider, type ProviderField, providerFieldRows } from '@countersign/sdk/contract'

const textOf = (value: string | number | readonly string[] | null | undefined) =>
  Array.isArray(value) ? value.join(', ') : String(value ?? '')

/** The profile as it is typed. */
export const valuesOf = (provider: Provider) => ({
  ...(Object.fromEntries(providerFieldRows.map(([name]) => [name, textOf(provider[name])])) as Record<
    ProviderField,
    string
  >),
  is_listed: provider.is_listed,
})
