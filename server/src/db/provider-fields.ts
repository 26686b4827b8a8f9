import {
  type Provider,
  type ProviderField,
  type ProviderFieldKind,
  type ProviderFieldRow,
  type ProviderFields,
  type ProviderFieldWith,
  providerFieldRows,
} from '@countersign/sdk/contract'

/** What a provider states of itself: one column for each row of the contract's table. */
export type ProviderFieldColumns = {
  [Name in ProviderField]: ProviderFields[Name]['kind'] extends 'words'
    ? string
    : ProviderFields[Name]['kind'] extends 'year'
      ? number | null
      : string | null
}

/** The columns of a provider that has stated nothing. */
export const emptyProviderFields = Object.fromEntries(
  providerFieldRows.map(([name, { kind }]) => [name, kind === 'words' ? '[]' : null]),
) as { [Name in ProviderField]: ProviderFieldColumns[Name] extends string ? '[]' : null }

/** A provider before it completes its profile. */
export const emptyProfile = {
  ...emptyProviderFields,
  domain_verified_at: null,
  domain: null,
  domain_nonce: '',
  domain_verification_method: null,
  domain_checked_at: null,
  domain_stale_since: null,
  logo_url: null,
  logo_id: null,
  names_checked: 1,
  opened_count: 0,
  deactivated_at: null,
  deleted_at: null,
  erased_at: null,
} as const

/** A value as a column; an empty text removes it. */
export const encodeField = (kind: ProviderFieldKind, value: unknown): string | number | null =>
  kind === 'words' ? JSON.stringify(value) : (value as string | number | null) || null

export const decodeField = (kind: ProviderFieldKind, column: string | number | null) =>
  kind === 'words' ? (JSON.parse(String(column)) as string[]) : column

/** The fields that everyone sees, or those that only their provider sees. */
export const providerFieldsOf = <Shown extends ProviderFieldRow['shown']>(row: ProviderFieldColumns, shown: Shown) =>
  Object.fromEntries(
    providerFieldRows
      .filter(([, field]) => field.shown === shown)
      .map(([name, { kind }]) => [name, decodeField(kind, row[name])]),
  ) as Pick<Provider, ProviderFieldWith<{ shown: Shown }>>
