import { limits, Refusal } from '@countersign/sdk/contract'

export interface VersionFacts {
  id: string
  display_name: string
  api_model_identifier: string
  version: string
  version_number: number
  model_digest: string | null
  created_at: number
  first_verified_at: number | null
  archived_at: number | null
}

/** Within an hour of registration, and before anyone has relied on it. */
export const canQuickEdit = (model: Pick<VersionFacts, 'created_at' | 'first_verified_at' | 'archived_at'>, now: number): boolean =>
  model.first_verified_at === null && model.archived_at === null && now - model.created_at < limits.quickEditSeconds * 1_000

const suggestedVersion = (latest: Pick<VersionFacts, 'version_number'>) => `${latest.version_number + 1}.0`

interface Registration {
  latest: VersionFacts | undefined
  hasVersion: boolean
  input: { api_model_identifier: string; version: string; force_new_version: boolean }
  now: number
}

/** Why a registration is not done: the identifier exists and no new version was asked for, or the version exists. */
export const registrationRefusal = ({ latest, hasVersion, input, now }: Registration): Refusal | undefined => {
  if (!latest || (input.force_new_version && !hasVersion)) return undefined
  const message = input.force_new_version
    ? 'Please specify a different version number for the new version'
    : `A model with identifier "${input.api_model_identifier}" already exists. Current version: ${latest.version}.`
  return new Refusal(input.force_new_version ? 'version_exists' : 'model_exists', message, {
    error: 'model_exists',
    message,
    existing_model: {
      id: latest.id,
      display_name: latest.display_name,
      api_model_identifier: latest.api_model_identifier,
      version: latest.version,
      version_number: latest.version_number,
      model_digest: latest.model_digest,
      suggested_version: suggestedVersion(latest),
      can_quick_edit: canQuickEdit(latest, now),
    },
  })
}
