import type { DeclaredSigner } from '@countersign/sdk/contract'
import { ownFingerprint } from '../db/deployment-keys.ts'
import type { Db } from '../db/schema.ts'
import { listVersionNames } from '../db/versions.ts'

interface Named {
  id: string
  name: string | null
}

interface Own {
  provider_id: string
  ids: readonly string[]
}

const signerName = (signer: DeclaredSigner, model: string | null): string => {
  if (signer.kind === 'identity') return signer.identity
  return signer.kind === 'repository' ? signer.repository : `${signer.kind} for ${model ?? 'all models'}`
}

/** For each kind of object, by the prefix of its ID: the name that owners know it by. */
const namers: Readonly<Record<string, (db: Db, own: Own) => Promise<Named[]>>> = {
  per: (db, { provider_id, ids }) =>
    db
      .selectFrom('members as m')
      .innerJoin('people as e', 'e.id', 'm.person_id')
      .select(['e.id', 'e.email as name'])
      .where('m.provider_id', '=', provider_id)
      .where('e.id', 'in', ids)
      .execute(),
  mdl: async (db, { provider_id, ids }) =>
    [...(await listVersionNames(db, provider_id, ids))].map(([id, name]) => ({ id, name })),
  dep: async (db, { provider_id, ids }) => {
    const rows = await db
      .selectFrom('deployments')
      .select(['id', 'spki_fingerprint'])
      .where('provider_id', '=', provider_id)
      .where('id', 'in', ids)
      .execute()
    return rows.map(({ id, spki_fingerprint }) => ({ id, name: ownFingerprint(spki_fingerprint) }))
  },
  key: (db, { provider_id, ids }) =>
    db
      .selectFrom('api_keys')
      .select(['id', 'name'])
      .where('provider_id', '=', provider_id)
      .where('id', 'in', ids)
      .execute(),
  sgn: async (db, { provider_id, ids }) => {
    const rows = await db
      .selectFrom('declared_signers')
      .select(['id', 'signer', 'api_model_identifier'])
      .where('provider_id', '=', provider_id)
      .where('id', 'in', ids)
      .execute()
    return rows.map(({ id, signer, api_model_identifier }) => ({
      id,
      name: signerName(JSON.parse(signer), api_model_identifier),
    }))
  },
  pub: async (db, { provider_id, ids }) => {
    const rows = await db
      .selectFrom('trusted_publishers')
      .select(['id', 'repository', 'subject'])
      .where('provider_id', '=', provider_id)
      .where('id', 'in', ids)
      .execute()
    return rows.map(({ id, repository, subject }) => ({ id, name: repository ?? subject }))
  },
  inv: (db, { provider_id, ids }) =>
    db
      .selectFrom('invitations')
      .select(['id', 'email as name'])
      .where('provider_id', '=', provider_id)
      .where('id', 'in', ids)
      .execute(),
  rev: async (db, { provider_id, ids }) => {
    const rows = await db
      .selectFrom('key_reviews')
      .select(['id', 'kind', 'subject_id', 'name'])
      .where('provider_id', '=', provider_id)
      .where('id', 'in', ids)
      .execute()
    return rows.map(({ id, kind, subject_id, name }) => ({ id, name: `${kind}: ${name ?? subject_id}` }))
  },
  evt: async (db, { provider_id, ids }) => {
    const rows = await db
      .selectFrom('events')
      .select(['id', 'action', 'subject_id'])
      .where('provider_id', '=', provider_id)
      .where('id', 'in', ids)
      .execute()
    return rows.map(({ id, action, subject_id }) => ({ id, name: `${action} ${subject_id}` }))
  },
}

/** The IDs in the path and the body of a call. */
export const idsIn = ({ params, body }: { params: string; body: string | null }): string[] => [
  ...new Set(`${params}${body ?? ''}`.match(/(?<=")[a-z]{3}_[0-9a-z]{26}(?=")/g)),
]

/** What IDs of a provider’s objects stand for: people do not know them. */
export const findNames = async (db: Db, { provider_id, ids }: Own): Promise<ReadonlyMap<string, string>> => {
  const names = new Map<string, string>()
  for (const [prefix, find] of Object.entries(namers)) {
    const own = ids.filter((id) => id.startsWith(`${prefix}_`))
    if (own.length === 0) continue
    for (const { id, name } of await find(db, { provider_id, ids: own })) if (name !== null) names.set(id, name)
  }
  return names
}
