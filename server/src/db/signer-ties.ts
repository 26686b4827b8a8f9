import {
  type BundleSigner,
  type DeclaredSigner,
  isDeclared,
  isTied,
  publisherIssuers,
  type SignerTies,
} from '@countersign/sdk/contract'
import { domainProof } from './proofs.ts'
import type { Db, TrustedPublisherTable, Tx } from './schema.ts'

/** What a provider has proven: keys by signed challenges, its domains, and the repositories whose jobs have published for it, by the word of an issuer that is still accepted. */
export const findTies = async (db: Db, provider_id: string, at: number): Promise<SignerTies> => {
  const [signers, domains, publishers] = await Promise.all([
    db
      .selectFrom('declared_signers')
      .select('proven_keys')
      .where('provider_id', '=', provider_id)
      .where('proven_keys', 'is not', null)
      .execute(),
    db
      .selectFrom('provider_domains as d')
      .select('d.domain')
      .where('d.provider_id', '=', provider_id)
      .where(domainProof('d', at).isProven)
      .execute(),
    db
      .selectFrom('trusted_publishers')
      .select(['kind', 'issuer', 'repository', 'repository_id'])
      .where('provider_id', '=', provider_id)
      .where('last_used_at', 'is not', null)
      .where('issuer_refused_at', 'is', null)
      .execute(),
  ])
  return {
    keys: signers.flatMap(({ proven_keys }) => JSON.parse(proven_keys ?? '[]') as string[]),
    domains: domains.map(({ domain }) => domain),
    repositories: publishers.flatMap((publisher) => {
      const repository = repositoryUrlOf(publisher)
      return repository === undefined
        ? []
        : [{ issuer: publisher.issuer, repository, repository_id: publisher.repository_id }]
    }),
  }
}

/** The address of a publisher's repository as it appears in its jobs' certificates; undefined if the issuer has no repositories. */
const repositoryUrlOf = ({
  kind,
  issuer,
  repository,
}: Pick<TrustedPublisherTable, 'kind' | 'issuer' | 'repository'>): string | undefined => {
  if (kind === 'other' || repository === null) return undefined
  const { protocol, host } = new URL(issuer)
  // `token.actions.acme.ghe.com` is the issuer of jobs at `acme.ghe.com`.
  const home =
    issuer === publisherIssuers.github ? 'github.com' : kind === 'github' ? host.replace(/^token\.actions\./, '') : host
  return `${protocol}//${home}/${repository}`
}

interface Declared {
  api_model_identifier: string | null
  signer: DeclaredSigner
}

/** The authority behind a certificate is no longer known: whose key it is, its tie says. */
const isStillDeclared = (signer: BundleSigner, declared: DeclaredSigner): boolean =>
  declared.kind === 'key' || declared.kind === 'certificate'
    ? signer.key_fingerprint !== null
    : isDeclared(signer, declared)

/**
 * Call it in the transaction that changes what a provider has proven or declared. A version whose signer is no longer the provider's own
 * stops being verified at once, and every bundle is checked again.
 */
export const settleTies = async (tx: Tx, { provider_id, at }: { provider_id: string; at: number }): Promise<void> => {
  const due = await tx
    .updateTable('models')
    .set({ bundle_due_at: at, bundle_asked_at: at })
    .where('provider_id', '=', provider_id)
    .where('bundle_due_at', 'is not', null)
    .where('deleted_at', 'is', null)
    .returning(['id', 'api_model_identifier', 'bundle_status', 'bundle_signer'])
    .execute()
  const verified = due.filter(({ bundle_status }) => bundle_status === 'verified')
  if (verified.length === 0) return
  const ties = await findTies(tx, provider_id, at)
  const rows = await tx
    .selectFrom('declared_signers')
    .select(['api_model_identifier', 'signer'])
    .where('provider_id', '=', provider_id)
    .execute()
  const declared = rows.map((row): Declared => ({ ...row, signer: JSON.parse(row.signer) }))
  const holds = ({ api_model_identifier, bundle_signer }: (typeof verified)[number]) => {
    const signer: BundleSigner | null = bundle_signer === null ? null : JSON.parse(bundle_signer).signer
    const mayConcern = (each: Declared) =>
      each.api_model_identifier === null || each.api_model_identifier === api_model_identifier
    return (
      signer !== null &&
      isTied(signer, ties) &&
      declared.some((each) => mayConcern(each) && isStillDeclared(signer, each.signer))
    )
  }
  const ended = verified.filter((model) => !holds(model)).map(({ id }) => id)
  for (let start = 0; start < ended.length; start += 500)
    await tx
      .updateTable('models')
      .set({
        bundle_status: 'unknown',
        bundle_last_checked: null,
        bundle_verification_details: null,
        bundle_signer: null,
        bundle_domain: null,
      })
      .where('provider_id', '=', provider_id)
      .where('id', 'in', ended.slice(start, start + 500))
      .execute()
}
