import type { DomainProof } from '@countersign/sdk/contract'
import { lockProvider } from '../db/lock.ts'
import { endSamples } from '../db/samples.ts'
import type { Tx } from '../db/schema.ts'
import { settleTies } from '../db/signer-ties.ts'
import type { MailLine } from '../mail/service.ts'
import { askNames } from '../names/store.ts'
import type { Deps } from './deps.ts'
import { domainProofOf } from './rules.ts'
import { type DomainRow, mirrorPrimary } from './store.ts'

export const proofOf = ({
  provider_id,
  domain,
  nonce,
}: Pick<DomainRow, 'provider_id' | 'domain' | 'nonce'>): DomainProof =>
  domainProofOf({ id: provider_id, domain, nonce })

/**
 * The last steps of every change to a domain: the mirrored columns, the listing, the trail and an email to the owner.
 */
export const createChanges = ({ database, events, mail, listings, now }: Deps) => {
  type Action =
    | 'verified'
    | 'lost'
    | 'stale'
    | 'displaced'
    | 'contested'
    | 'added'
    | 'removed'
    | 'primary'
    | 'blocked'
    | 'allowed'

  const record = async (
    tx: Tx,
    { provider_id }: Pick<DomainRow, 'provider_id'>,
    actor: string,
    action: Action,
    change: { before?: Record<string, unknown>; after?: Record<string, unknown> },
  ) => {
    await events.record(tx, {
      provider_id,
      actor,
      action: `domain.${action}`,
      subject: ['provider', provider_id],
      ...change,
    })
    if (action === 'primary') await endSamples(tx, events, { provider_id, actor })
  }

  const emailOwner = (
    tx: Tx,
    { provider_id, domain }: Pick<DomainRow, 'provider_id' | 'domain'>,
    subject: string,
    lines: readonly MailLine[],
  ) => mail.alert(tx, provider_id, { subject, lines: [{ domain }, ...lines], section: 'domains' })

  const recordLines = (row: DomainRow): readonly MailLine[] => {
    const { record_name, record_value } = proofOf(row)
    return ['Publish this DNS record, then verify the domain:', { code: `${record_name} TXT "${record_value}"` }]
  }

  const inTransaction = <T>(provider_id: string, work: (tx: Tx) => Promise<T>): Promise<T> =>
    database.transaction(
      async (tx) => {
        await lockProvider(database, tx, provider_id)
        return work(tx)
      },
      { writer: provider_id },
    )

  /** After any change to the domains of a provider. */
  const domainsChanged = async (tx: Tx, provider_id: string) => {
    await mirrorPrimary(tx, provider_id, now())
    await listings.providerChanged(tx, provider_id)
  }

  /** Signers with a mailbox at a domain are the provider's own, and names may contain it, while it is proven. */
  const proofsChanged = async (tx: Tx, provider_id: string) => {
    await domainsChanged(tx, provider_id)
    await settleTies(tx, { provider_id, at: now() })
    await askNames(tx, provider_id)
  }

  return { record, emailOwner, recordLines, inTransaction, domainsChanged, proofsChanged }
}

export type Changes = ReturnType<typeof createChanges>
