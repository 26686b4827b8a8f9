import { limits, Refusal } from '@countersign/sdk/contract'

export interface VersionFacts {
  id: string
  display_name: string
  api_model_identifier: string
  version: string
  version_number: number
  model_digest: string | null
  created_at: number
  first_minted_at: number | null
  is_latest: number
  archived_at: number | null
}

/** The latest version, within an hour of its registration, and before the first link names it. */
export const canQuickEdit = (
  model: Pick<VersionFacts, 'created_at' | 'first_minted_at' | 'is_latest' | 'archived_at'>,
  now: number,
): boolean =>
  model.is_latest === 1 &&
  model.first_minted_at === null &&
  model.archived_at === null &&
  now - model.created_at < limits.quickEditSeconds * 1_000

/** Why an own version that is not archived cannot be edited. */
export const whyEditClosed = ({ is_latest, first_minted_at }: Pick<VersionFacts, 'is_latest' | 'first_minted_at'>) => {
  if (is_latest !== 1) return 'There is a newer version.'
  return first_minted_at === null
    ? 'This version was registered more than an hour ago.'
    : 'This version already has links.'
}

const suggestedVersion = (latest: Pick<VersionFacts, 'version_number'>) => `${latest.version_number + 1}.0`

interface Registration {
  latest: VersionFacts | undefined
  /** The version that already has the wanted name. */
  holder: VersionFacts | undefined
  input: { api_model_identifier: string; version: string; force_new_version: boolean }
  now: number
}

interface Clash {
  existing: VersionFacts
  latest: Pick<VersionFacts, 'version_number'>
  now: number
}

const clash = (code: 'model_exists' | 'version_exists', message: string, { existing, latest, now }: Clash) =>
  new Refusal(code, message, {
    error: 'model_exists',
    message,
    existing_model: {
      id: existing.id,
      display_name: existing.display_name,
      api_model_identifier: existing.api_model_identifier,
      version: existing.version,
      version_number: existing.version_number,
      model_digest: existing.model_digest,
      suggested_version: suggestedVersion(latest),
      can_quick_edit: canQuickEdit(existing, now),
    },
  })

const otherVersion = 'Please specify a different version number for the new version'

/** Why a registration is rejected: the identifier exists and no new version was requested, or the version exists. */
export const registrationRefusal = ({ latest, holder, input, now }: Registration): Refusal | undefined => {
  if (!latest) return undefined
  if (input.force_new_version) return holder && clash('version_exists', otherVersion, { existing: holder, latest, now })
  const message = `A model with identifier "${input.api_model_identifier}" already exists. Current version: ${latest.version}.`
  return clash('model_exists', message, { existing: latest, latest, now })
}

/** An edit must not give a version the name of another one. */
export const renamingRefusal = ({
  holder,
  latest = holder,
  now,
}: {
  holder: VersionFacts
  latest: VersionFacts | undefined
  now: number
}) => clash('version_exists', otherVersion, { existing: holder, latest, now })

/* ---- edits ---- */

export type Values = Readonly<Record<string, unknown>>

/** The fields in `after` that differ, before and after; undefined if all are equal. */
export const changesOf = (before: Values, after: Values): { before: Values; after: Values } | undefined => {
  const changed = Object.keys(after).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  const pick = (values: Values) => Object.fromEntries(changed.map((name) => [name, values[name]]))
  return changed.length === 0 ? undefined : { before: pick(before), after: pick(after) }
}

/** What responses show for a bundle that has not been checked. */
export const noVerdict = {
  bundle_status: 'unknown',
  bundle_last_checked: null,
  bundle_verification_details: null,
} as const

/** The fields that a change recorded, without those that the registry found out itself. */
export const statedIn = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !(name in noVerdict)))

/** What else changes with a field: a verdict on other bytes is void, and a derived name follows the other. */
export const withConsequences = (
  row: { display_name: string; model_name: string; model_digest: string | null },
  edit: Values,
): Values => {
  const isNew = (name: string) => edit[name] !== undefined && edit[name] !== (row as Values)[name]
  const digest = edit.model_digest === undefined ? row.model_digest : edit.model_digest
  const source = isNew('model_digest') ? (edit.digest_source ?? 'stated') : edit.digest_source
  return {
    ...edit,
    ...(edit.model_name === undefined &&
      isNew('display_name') &&
      row.model_name === row.display_name && { model_name: edit.display_name }),
    // Without a digest there is no source to state.
    digest_source: digest === null ? (isNew('model_digest') ? null : undefined) : source,
    ...((isNew('model_digest') || isNew('sigstore_bundle_url')) && noVerdict),
  }
}

interface Signed {
  model_digest: string | null
  sigstore_bundle_url: string | null
  bundle_due_at: number | null
}

/** A verdict on another digest or another bundle is reset, and the current one is checked. */
export const bundleAfter = (before: Signed, after: Omit<Signed, 'bundle_due_at'>, now: number) => {
  const isSame = before.model_digest === after.model_digest && before.sigstore_bundle_url === after.sigstore_bundle_url
  return isSame ? undefined : uncheckedBundle({ ...before, ...after }, now)
}

/** A signature covers the names, so changing them resets the verdict like another digest. */
export const uncheckedBundle = (
  {
    sigstore_bundle_url,
    bundle_due_at,
  }: Pick<Signed, 'bundle_due_at'> & { sigstore_bundle_url?: string | null | undefined },
  now: number,
) => {
  const due_at = (sigstore_bundle_url ?? null) === null && bundle_due_at === null ? null : now
  return {
    bundle_verdict: null,
    bundle_signer: null,
    bundle_domain: null,
    bundle_root: null,
    bundle_failures: 0,
    bundle_due_at: due_at,
    bundle_asked_at: due_at,
  }
}

interface Monitoring {
  endpoint: string
  health_check_enabled: boolean
}

/** Monitoring after an edit: a new endpoint starts without a history, and one that is not probed has no state. */
export const monitoringAfter = (before: Monitoring, after: Monitoring, now: number) => {
  const isSame = before.endpoint === after.endpoint && before.health_check_enabled === after.health_check_enabled
  if (isSame) return undefined
  return {
    health_status: 'unknown' as const,
    health_failures: 0,
    health_last_check: null,
    uptime_7d: null,
    health_due_at: after.health_check_enabled ? now : null,
  }
}

/* ---- use over time ---- */

const dayMs = 86_400_000
const shownWeeks = 12

/** The days that the weeks consist of, since 1970 (UTC), oldest first. The last one is today. */
export const daysOfWeeks = (now: number): number[] => {
  const today = Math.floor(now / dayMs)
  return Array.from({ length: shownWeeks * 7 }, (_, index) => today - shownWeeks * 7 + 1 + index)
}

/** How many links were opened in each week, oldest first. The last week ends today. */
export const weeksOf = (openings: readonly { day: number; openings: number }[], now: number) => {
  const opened = new Map(openings.map((row) => [row.day, row.openings]))
  const days = daysOfWeeks(now)
  return Array.from({ length: shownWeeks }, (_, week) => {
    const own = days.slice(week * 7, week * 7 + 7)
    return {
      first_day: new Date((own[0] ?? 0) * dayMs).toISOString().slice(0, 10),
      verifications: own.reduce((sum, day) => sum + (opened.get(day) ?? 0), 0),
    }
  })
}
