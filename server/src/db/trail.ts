import type { Db } from './schema.ts'

/** What each line is about and who acted, by their current names: an owner knows a key as `ci`. */
export const selectTrail = (db: Db, provider_id: string) =>
  db
    .selectFrom('events as e')
    .leftJoin('models as m', (join) =>
      join.onRef('m.provider_id', '=', 'e.provider_id').onRef('m.id', '=', 'e.subject_id'),
    )
    .leftJoin('incidents as i', (join) =>
      join.onRef('i.provider_id', '=', 'e.provider_id').onRef('i.id', '=', 'e.subject_id'),
    )
    .leftJoin('api_keys as k', (join) =>
      join.onRef('k.provider_id', '=', 'e.provider_id').onRef('k.id', '=', 'e.subject_id'),
    )
    .leftJoin('trusted_publishers as t', (join) =>
      join.onRef('t.provider_id', '=', 'e.provider_id').onRef('t.id', '=', 'e.subject_id'),
    )
    .leftJoin('api_keys as a', (join) =>
      join.onRef('a.provider_id', '=', 'e.provider_id').onRef('a.id', '=', 'e.actor'),
    )
    .leftJoin('people as sp', 'sp.id', 'e.subject_id')
    .leftJoin('people as ap', 'ap.id', 'e.person_id')
    .select((row) => [
      'e.id',
      'e.at',
      'e.actor',
      row.fn.coalesce('a.name', 'ap.email').as('actor_name'),
      'e.action',
      'e.subject_type',
      'e.subject_id',
      row
        .fn<string | null>('coalesce', ['m.display_name', 'i.title', 'k.name', 't.repository', 't.subject', 'sp.email'])
        .as('subject_name'),
      'e.before',
      'e.after',
    ])
    .where('e.provider_id', '=', provider_id)
