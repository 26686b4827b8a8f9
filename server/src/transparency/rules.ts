import { createHash, generateKeyPairSync } from 'node:crypto'
import type { TrailAction } from '@countersign/sdk/contract'
import { formatVkey, type LogPolicy, noteKey, signatureTypes } from '@countersign/sdk/log'
import {
  canonicalJson,
  type Disclosure,
  type EntryType,
  formatEntry,
  hideEntry,
  hideText,
  type OpenEntry,
} from '@countersign/sdk/log/entries'

/** One statement about a subject that a verdict may rest on, as it is now. */
export interface Fact {
  /** ID of a provider, version, deployment, signer or signing key. */
  subject: string
  /** Distinguishes the facts of a subject. */
  fact: string
  /** The entry that begins it; empty if it needs none. */
  type: EntryType | ''
  /** Everyone may know it. Otherwise the log has only a keyed hash. */
  isPublic: boolean
  clear: Readonly<Record<string, string | number | null>>
  /** Texts that strangers choose. The log has a salted hash of each. */
  hidden?: Readonly<Record<string, string>>
}

/** The entry that ends a fact once it no longer holds. Other facts end with their subject. */
export const endOf: { readonly [Type in EntryType]?: EntryType } = {
  'domain.proven': 'domain.lost',
  'domain.stale': 'domain.lost',
  'provider.deactivated': 'provider.reactivated',
  'version.archived': 'version.unarchived',
  'signer.declared': 'signer.withdrawn',
  'bundle.verified': 'bundle.ended',
  'bundle.third_party': 'bundle.ended',
  'bundle.invalid': 'bundle.ended',
  'deployment.authorized': 'deployment.revoked',
  'deployment.disabled': 'deployment.enabled',
  'platform.trusted': 'platform.ended',
}

const ends = new Set<string>(Object.values(endOf))

const domainFact = /^domain (.+)$/

/** The domain that a fact is a proof of; null for other facts. */
export const domainOf = (fact: string): string | null => domainFact.exec(fact)?.[1] ?? null

/** What an entry says about its fact: an edited version is still registered. Empty if the entry ends the fact. */
export const factTypeOf = (type: EntryType | ''): EntryType | '' =>
  type === 'version.edited' ? 'version.registered' : ends.has(type) ? '' : type

/** The log says otherwise, so the database was changed without the log. */
export const isContradicted = (types: readonly string[] | undefined, logged: string): boolean =>
  types !== undefined && !types.includes(logged)

/** It holds while the log does not say otherwise, and needs no entry. */
export const mayBeAbsent = (types: readonly string[] | undefined): boolean => types?.includes('') === true

/** Which facts a line of the trail may have changed: those of the provider, of its subject, or of what belongs to it. */
export const touchedBy = {
  'provider.registered': null,
  'provider.updated': 'provider',
  'provider.deactivated': 'provider',
  'provider.reactivated': 'provider',
  'provider.suspended': 'provider',
  'provider.confirmed': 'provider',
  'provider.deleted': 'provider',
  'email.verified': null,
  'domain.verified': 'provider and bundles',
  'domain.lost': 'provider and bundles',
  'domain.reset': 'provider and bundles',
  'domain.displaced': 'provider and bundles',
  'domain.stale': 'provider and bundles',
  'domain.contested': null,
  'domain.added': null,
  'domain.removed': 'provider and bundles',
  'domain.primary': 'provider',
  'domain.blocked': 'provider and bundles',
  'domain.allowed': 'provider and bundles',
  'password.set': null,
  'logo.uploaded': null,
  'logo.removed': null,
  'identity.linked': null,
  'identity.unlinked': null,
  'notifications.changed': null,
  'model.registered': 'version',
  'model.superseded': 'version',
  'model.edited': 'version',
  'model.synced': 'version',
  'model.visibility_changed': 'version and deployments',
  'model.archived': 'version',
  'model.unarchived': 'version',
  'model.first_verified': null,
  'model.monitoring_changed': null,
  'model.health_changed': null,
  'model.bundle_uploaded': null,
  'model.bundle_checked': 'version',
  'model.sample_added': null,
  'model.sample_removed': null,
  'deployment.authorizations_copied': 'version and deployments',
  'deployment.registered': null,
  'deployment.proven': null,
  'deployment.proof_displaced': null,
  'deployment.enabled': 'deployment',
  'deployment.disabled': 'deployment',
  'deployment.deleted': 'deployment',
  'deployment.authorized': 'authorization',
  'deployment.revoked': 'authorization',
  'factor.added': null,
  'factor.removed': null,
  'incident.reported': null,
  'incident.investigating': null,
  'incident.resolved': null,
  'incident.dismissed': null,
  'incident.withdrawn': null,
  'incident.restored': null,
  'incident.entry_disputed': null,
  'incident.reopened': null,
  'key.created': null,
  'key.revoked': null,
  'key.compromised': null,
  'key.reviewed': null,
  // Undoing has entries of its own.
  'key.undone': null,
  'member.joined': null,
  'member.role_changed': null,
  'member.removed': null,
  'member.left': null,
  'member.email_changed': null,
  'member.invited': null,
  'invitation.withdrawn': null,
  // An approved change has entries of its own.
  'change.staged': null,
  'change.approved': null,
  'change.rejected': null,
  'change.delayed': null,
  'change.cancelled': null,
  'session.began': null,
  'session.ended': null,
  'session.undone': null,
  'signer.declared': 'signer and bundles',
  'signer.proven': 'signer and bundles',
  'signer.withdrawn': 'signer and bundles',
  'workload.trusted': 'platform',
  'workload.used': null,
  'workload.removed': 'platform',
  'workload.issuer_refused': 'platform',
  'workload.issuer_accepted': 'platform',
  'publisher.added': null,
  'publisher.used': null,
  'publisher.refused': null,
  'publisher.undone': null,
  // A bundle of its jobs is the provider's own only while it is trusted, and its issuer accepted.
  'publisher.removed': 'provider and bundles',
  'publisher.issuer_refused': 'provider and bundles',
  'publisher.issuer_accepted': null,
} as const satisfies Record<TrailAction, string | null>

/** Whether an entry would say the same. The name in a proof of a domain is there for readers, and has its own entry when it changes. */
export const contentOf = ({ fact, clear, hidden = {} }: Pick<Fact, 'fact' | 'clear' | 'hidden'>): string =>
  createHash('sha256')
    .update(canonicalJson(fact.startsWith('domain ') ? clear : { ...clear, ...hidden }))
    .digest('base64url')

/** All that a platform's token must say besides its issuer, in one spelling. */
export const claimsText = ({ subject, claims, audience }: { subject: string; claims: string; audience: string }) =>
  canonicalJson({ ...JSON.parse(claims), sub: subject, aud: audience })

interface NewLeaf extends Pick<Fact, 'isPublic' | 'clear' | 'hidden'> {
  type: EntryType
  at: number
  /** 32 random bytes at each call. */
  newSalt: () => Buffer
}

/** What is hashed into the tree, and what is stored beside it so that it can be erased. */
export const leafOf = ({ type, at, isPublic, clear, hidden = {}, newSalt }: NewLeaf) => {
  const salted = Object.entries(hidden).map(([field, text]) => ({ field, value: text.toWellFormed(), salt: newSalt() }))
  const hashes = salted.map(({ field, value, salt }) => [field, hideText(field, value, salt)])
  const entry = { v: 1, type, at: new Date(at).toISOString(), ...clear, ...Object.fromEntries(hashes) } as OpenEntry
  const leaf = formatEntry(entry)
  if (isPublic) return { leaf, revealed: disclosuresOf(salted) }
  const salt = newSalt()
  const kept = { field: 'private', value: Buffer.from(leaf).toString(), salt }
  return { leaf: formatEntry(hideEntry(entry, salt)), revealed: disclosuresOf([kept, ...salted]) }
}

const disclosuresOf = (kept: readonly { field: string; value: string; salt: Buffer }[]): string | null =>
  kept.length === 0
    ? null
    : JSON.stringify(
        kept.map(({ field, value, salt }): Disclosure => ({ field, value, salt: salt.toString('base64url') })),
      )

/** A key that signs checkpoints, encrypted. Its name is the log’s origin. */
export const newLogKey = (origin: string, seal: (plain: Buffer, label: string) => string) => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  const { keyId } = noteKey(origin, signatureTypes.ed25519, Buffer.from(x, 'base64url'))
  const key_id = keyId.toString(16).padStart(8, '0')
  return { key_id, public_x: x, private_encrypted: seal(privateKey.export({ format: 'der', type: 'pkcs8' }), key_id) }
}

/** The witnesses and the quorum of a policy as text, for clients to pin. */
export const linesOf = (policy: LogPolicy | null): string => {
  if (policy === null) return 'quorum none\n'
  const witnesses = [...policy.witnesses].map(([name, { key }]) => `witness ${name} ${formatVkey(key)}\n`)
  const groups = [...policy.groups].map(
    ([name, { threshold, members }]) => `group ${name} ${threshold} ${members.join(' ')}\n`,
  )
  return [...witnesses, ...groups, `quorum ${policy.quorum}\n`].join('')
}

const logWithinMs = 60_000

/** A fact that waits for longer is not being logged. */
export const isBeingLogged = (at: number, now: number): boolean => now - at < logWithinMs

/** Whether owners are emailed about an entry. */
export const isNoticed = (type: string): boolean => /^(domain|signer|deployment|platform)\./.test(type)

const emailsPerHour = 4
/** Entries that wait for longer were held back. */
const heldMs = 15 * 60_000

/** Which entries go into which email: one for each act, but after four in an hour one for all others. */
export const emailsOf = <Notice extends { at: number }>(
  unsent: readonly Notice[],
  { sent, now }: { sent: number; now: number },
): { emails: Notice[][]; canSend: boolean } => {
  const canSend = sent < emailsPerHour
  const [oldest] = unsent
  if (!canSend || !oldest) return { emails: [], canSend }
  if (oldest.at < now - heldMs) return { emails: [[...unsent]], canSend }
  const acts = Map.groupBy(unsent, ({ at }) => at)
  return { emails: [...acts.values()].slice(0, emailsPerHour - sent), canSend }
}
