import {
  type BundleSigner,
  type FieldKind,
  type Model,
  type ModelField,
  modelAliases,
  modelFieldRows,
  type NewModel,
  withAliases,
} from '@countersign/sdk/contract'
import { healthAt } from '../db/health.ts'
import type { EncodedColumn, Flag, ModelFieldColumns } from '../db/schema.ts'
import { timeOf } from '../db/times.ts'
import { canQuickEdit } from './rules.ts'
import type { ModelColumns, ModelRecord, ModelRow } from './store.ts'

export type Viewer = 'owner' | 'public'

const flag = (value: boolean | undefined): Flag => (value ? 1 : 0)

interface Codec {
  encode: (value: unknown) => unknown
  decode: (column: unknown) => unknown
}

const asItIs: Codec = { encode: (value) => value ?? null, decode: (column) => column }

const codecs: Record<keyof EncodedColumn, Codec> = {
  words: { encode: (value) => JSON.stringify(value ?? []), decode: (column) => parseOr(column as string | null, []) },
  document: {
    encode: (value) => (value ? JSON.stringify(value) : null),
    decode: (column) => parseOr(column as string | null, null),
  },
  flag: { encode: (value) => flag(value === true), decode: (column) => column === 1 },
}

const codecOfKind = (kind: FieldKind): Codec => (kind in codecs ? codecs[kind as keyof typeof codecs] : asItIs)

const fieldCodecs = modelFieldRows.map(([name, { kind }]) => [name, codecOfKind(kind)] as const)
const codecOfName = new Map<string, Codec>([...fieldCodecs, ['bundle_verification_details', codecs.document]])
const codecOf = (name: string) => codecOfName.get(name) ?? asItIs

const columnsOfFields = (input: Pick<NewModel, ModelField>) =>
  Object.fromEntries(
    fieldCodecs.map(([name, { encode }]) => [name, encode(input[name])]),
  ) as unknown as ModelFieldColumns

const fieldsOf = (row: ModelFieldColumns) =>
  Object.fromEntries(fieldCodecs.map(([name, { decode }]) => [name, decode(row[name])])) as unknown as Pick<
    Model,
    ModelField
  >

/** A registration as columns; IDs, numbers and times are added by the service. */
export const columnsOf = (input: NewModel) => ({
  ...columnsOfFields(input),
  health_status: 'unknown' as const,
  uptime_7d: null,
  digest_source: input.model_digest ? (input.digest_source ?? 'stated') : null,
  bundle_status: 'unknown' as const,
  bundle_last_checked: null,
  bundle_verification_details: null,
  bundle_signer: null,
  bundle_domain: null,
  bundle_verdict: null,
  bundle_root: null,
  is_active: 1 as const,
  is_latest: 1 as const,
  is_archived: 0 as const,
  is_demo: 0 as const,
  successor_id: null,
  first_verified_at: null,
  first_minted_at: null,
  superseded_at: null,
  archived_at: null,
  archive_reason: null,
  deleted_at: null,
})

const parseOr = <T>(json: string | null, otherwise: T): T => (json === null ? otherwise : (JSON.parse(json) as T))

/** A model as the contract describes it. For the public, adjacent private versions do not exist. */
export const modelOf = (row: ModelRow, viewer: Viewer, now: number): Model => {
  const health = healthAt(row, now)
  return withAliases(
    {
      id: row.id,
      provider_id: row.provider_id,
      provider_name: row.provider_name,
      provider_logo: row.provider_logo,
      provider_domain: row.provider_domain,
      provider_domain_verified: row.provider_domain_verified_at !== null,
      version_number: row.version_number,
      ...fieldsOf(row),
      // An archived version is in no public list. Its record stays reachable if it was public, and is public again if it is restored.
      is_public: row.is_public === 1 && row.archived_at === null,
      security_standards: { tls_version: row.tls_version },
      health_status: health.health_status,
      uptime_7d: health.uptime_7d === null ? null : health.uptime_7d / 100,
      bundle_status: row.bundle_status,
      bundle_last_checked: timeOf(row.bundle_last_checked),
      bundle_verification_details: parseOr(row.bundle_verification_details, null),
      bundle_signer: parseOr<{ signer: BundleSigner | null } | null>(row.bundle_signer, null)?.signer ?? null,
      is_demo: row.is_demo === 1,
      ...(viewer === 'owner' ? ownStanding(row) : publicStanding(row)),
      created_at: new Date(row.created_at).toISOString(),
      first_verified_at: timeOf(row.first_verified_at),
      archived_at: timeOf(row.archived_at),
      archive_reason: viewer === 'owner' ? row.archive_reason : null,
      can_quick_edit: canQuickEdit(row, now),
    },
    modelAliases,
  )
}

const ownStanding = (row: ModelRow) => ({
  is_active: row.is_active === 1,
  is_latest: row.is_latest === 1,
  is_archived: row.is_archived === 1,
  superseded_at: timeOf(row.superseded_at),
  predecessor_id: row.predecessor_id,
  successor_id: row.successor_id,
  latest_version_id: row.latest_version_id,
})

/** As if private versions did not exist. */
const publicStanding = (row: ModelRow) => {
  const is_latest = row.superseded_publicly_at === null
  return {
    is_active: is_latest && row.archived_at === null,
    is_latest,
    is_archived: !is_latest || row.archived_at !== null,
    superseded_at: timeOf(row.superseded_publicly_at),
    predecessor_id: row.is_predecessor_public > 0 ? row.predecessor_id : null,
    successor_id: row.is_successor_public > 0 ? row.successor_id : null,
    latest_version_id: row.latest_public_id,
  }
}

/** Single fields of a row, as responses show them. */
export const valuesOf = (row: ModelRecord, names: readonly string[]): Record<string, unknown> => {
  const columns = row as unknown as Record<string, unknown>
  return Object.fromEntries(names.map((name) => [name, codecOf(name).decode(columns[name])]))
}

/** Single fields, as columns. */
export const columnsOfValues = (values: Readonly<Record<string, unknown>>): ModelColumns =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, codecOf(name).encode(value)]))
