import { sql } from 'kysely'
import type { Tx } from '../db/schema.ts'
import type { Operator } from '../operator/command.ts'

const lines = [
  'The registry was restored from a backup. Everything you changed since then is lost.',
  'Until you confirm your account, your links are not valid, your API keys do not work and your pages are hidden. Otherwise a key or a server that you removed since then would work again.',
  'Sign in with a new password, remove what should no longer work, and confirm.',
]

const endCredentials = async (tx: Tx) => {
  // A password, an identity or a passkey may have been given up after the backup; the mailbox is the only way back in.
  for (const table of [
    'sessions',
    'one_time_tokens',
    'invitations',
    'changes',
    'registrations',
    'passwords',
    'identities',
    'factors',
    'recovery_codes',
    'presences',
    'idempotency',
  ] as const)
    await tx.deleteFrom(table).execute()
  // Someone who was removed after the backup must not come back. Owners confirm, and invite the others again.
  await tx.deleteFrom('members').where('role', '!=', 'owner').execute()
  await tx
    .updateTable('mails')
    .set({ due_at: null, body_text: '', body_html: '' })
    .where('due_at', 'is not', null)
    .execute()
}

/** DNS decides at the next check: until then, links are amber. A contest begins again, because its first check was before the backup. */
const staleProofs = async (tx: Tx, at: number) => {
  await tx
    .updateTable('provider_domains')
    .set({ contested_at: null, contested_by: null, due_at: null })
    .where('contested_at', 'is not', null)
    .execute()
  await tx
    .updateTable('provider_domains')
    .set({ stale_since: sql`coalesce(stale_since, cast(${at} as bigint))`, due_at: at })
    .where('verified_at', 'is not', null)
    .execute()
  await tx
    .updateTable('providers')
    .set({ domain_verified_at: null, domain_stale_since: at })
    .where('domain_verified_at', 'is not', null)
    .execute()
}

const suspendSigningKeys = (tx: Tx, at: number) =>
  tx
    .updateTable('signing_keys')
    .set({ state: 'suspended', retired_at: at })
    .where('state', 'in', ['active', 'next', 'retired'])
    .execute()

/**
 * Suspends everything that may have been revoked after the backup, until its owner confirms it. New signing keys are made at the next
 * start.
 */
export const suspendEverything = async (
  { events, listings, mail, now }: Pick<Operator, 'events' | 'listings' | 'mail' | 'now'>,
  tx: Tx,
  signInUrl: string,
): Promise<number> => {
  const at = now()
  await endCredentials(tx)
  await staleProofs(tx, at)
  await suspendSigningKeys(tx, at)
  await tx.deleteFrom('jobs').execute()
  const suspended = await tx
    .updateTable('providers')
    .set({ suspended_at: at, deactivated_at: sql`coalesce(deactivated_at, cast(${at} as bigint))` })
    .where('deleted_at', 'is', null)
    .returning(['id', 'email', 'email_verified_at'])
    .execute()
  for (const { id, email, email_verified_at } of suspended) {
    await listings.providerChanged(tx, id)
    await events.record(tx, {
      provider_id: id,
      actor: 'registry',
      action: 'provider.suspended',
      subject: ['provider', id],
    })
    if (email !== null && email_verified_at !== null)
      await mail.queue(tx, {
        to: email,
        subject: 'Confirm your account: the registry was restored',
        lines: [...lines, { link: signInUrl, label: 'Sign in' }],
      })
  }
  return suspended.length
}
