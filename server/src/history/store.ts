import type { Db } from '../db/schema.ts'

interface Subject {
  provider_id: string
  id: string
}

export const findOwnVersion = (db: Db, { provider_id, id }: Subject) =>
  db
    .selectFrom('models')
    .select([
      'id',
      'api_model_identifier',
      'display_name',
      'version',
      'version_number',
      'created_at',
      'first_verified_at',
    ])
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

export const listVersions = (
  db: Db,
  { provider_id, api_model_identifier }: { provider_id: string; api_model_identifier: string },
) =>
  db
    .selectFrom('models')
    .select([
      'id',
      'display_name',
      'version',
      'version_number',
      'created_at',
      'superseded_at',
      'archived_at',
      'archive_reason',
      'is_latest',
      'is_public',
    ])
    .where('provider_id', '=', provider_id)
    .where('api_model_identifier', '=', api_model_identifier)
    .where('deleted_at', 'is', null)
    .orderBy('version_number', 'desc')
    .execute()

/** Events that changed fields of a model, newest first. */
const edits = [
  'model.edited',
  'model.synced',
  'model.visibility_changed',
  'model.monitoring_changed',
  'model.archived',
  'model.unarchived',
]

const maxEdits = 1_000

export const listEdits = (db: Db, { provider_id, id }: Subject) =>
  db
    .selectFrom('events')
    .select(['at', 'before', 'after'])
    .where('provider_id', '=', provider_id)
    .where('subject_id', '=', id)
    .where('action', 'in', edits)
    .orderBy('id', 'desc')
    .limit(maxEdits)
    .execute()
