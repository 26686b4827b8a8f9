import {
  type ExchangedToken,
  invalidField,
  limits,
  type NewPublisher,
  notFound,
  type Publisher,
  type PublisherKind,
  type PublisherList,
  publisherScope,
  Refusal,
  type TokenExchange,
  tokenExchange,
} from '@countersign/sdk/contract'
import { quoteExactly } from '@countersign/sdk/words'
import type { Database } from '../db/engine.ts'
import type { Tx } from '../db/schema.ts'
import { settleTies } from '../db/signer-ties.ts'
import type { EventRecorder } from '../events/service.ts'
import type { Caller } from '../http/callers.ts'
import type { NewId } from '../ids.ts'
import type { KeyService } from '../keys/service.ts'
import type { MailService } from '../mail/service.ts'
import type { FindIssuerKey } from '../outbound/issuer-keys.ts'
import {
  type Claims,
  describeMismatch,
  factsOf,
  identityOf,
  isKnownAlgorithm,
  isSignedBy,
  type Match,
  matchPublisher,
  type ReadToken,
  readToken,
  runOf,
  signedHash,
  tokenFault,
  trustedOf,
  usableUntil,
  usedTokenHash,
} from './rules.ts'
import {
  deletePublisher,
  findTrusted,
  insertPublisher,
  listIssuers,
  listPublishers,
  noteRefusal,
  noteUse,
  type PublisherRow,
  publisherOf,
  setIssuerRefused,
  useToken,
} from './store.ts'

interface Deps {
  database: Database
  events: EventRecorder
  keys: KeyService
  mail: Pick<MailService, 'alert'>
  findIssuerKey: FindIssuerKey
  /** The accepted issuers. Keys of other issuers are never fetched. */
  issuers: readonly { kind: PublisherKind; issuer: string }[]
  publicUrl: string
  now: () => number
  newId: NewId
  onFailure: (issuer: string, error: unknown) => void
}

const tokenSeconds = 900
const refusalEveryMs = 600_000

/** RFC 6749 §5.2, next to the code. */
const invalidToken = (claim: string, detail: string) =>
  new Refusal('identity_token_invalid', detail, { error: 'invalid_grant', claim })

const readIdentityToken = (token: string): ReadToken => {
  const read = readToken(token)
  if (!read) throw invalidToken('token', 'This is not a signed JWT with a key ID.')
  return read
}

const usedOf = (issuer: string, claims: Claims) => ({
  hash: usedTokenHash(issuer, String(claims.jti)),
  expires_at: usableUntil(claims),
})

const jobsOf = {
  github: 'GitHub workflows',
  gitlab: 'GitLab pipelines',
  other: 'subjects',
} as const satisfies Record<PublisherKind, string>

const saysOf = (value: unknown) => (typeof value === 'string' ? value.slice(0, 300) : null)

const summaryOf = ({ kind, issuer, repository, workflow, environment, subject }: PublisherRow) =>
  Object.fromEntries(
    Object.entries({ kind, issuer, repository, workflow, environment, subject }).filter(([, value]) => value !== null),
  )

/** CI jobs that publish with an identity token: they store no key. */
export const createPublisherService = ({
  database,
  events,
  keys,
  mail,
  findIssuerKey,
  issuers,
  publicUrl,
  now,
  newId,
  onFailure,
}: Deps) => {
  /** The checks run in order; nothing in a token is trusted after one fails. */
  const checkToken = async (token: string): Promise<{ issuer: string; claims: Claims }> => {
    const read = readIdentityToken(token)
    const issuer = read.claims.iss
    if (typeof issuer !== 'string' || !issuers.some((known) => known.issuer === issuer))
      throw invalidToken(
        'iss',
        `This registry does not accept tokens of that issuer. It accepts those of ${issuers.map((known) => known.issuer).join(', ')}.`,
      )
    checkForm(read, publicUrl)
    await checkSignature(issuer, read)
    return { issuer, claims: read.claims }
  }

  const checkForm = ({ alg, claims }: ReadToken, audience: string) => {
    if (!isKnownAlgorithm(alg))
      throw invalidToken('alg', 'The token must be signed with an asymmetric algorithm such as RS256.')
    const fault = tokenFault(claims, { audience, now: now() })
    if (fault) throw invalidToken(fault.claim, fault.detail)
  }

  const checkSignature = async (issuer: string, read: ReadToken) => {
    const key = await findKey(issuer, read)
    if (!key || !isSignedBy(read, key))
      throw invalidToken('signature', 'The token is not signed by a key that its issuer publishes.')
  }

  const findKey = (issuer: string, { kid }: ReadToken) =>
    findIssuerKey(issuer, kid).catch((cause) => {
      onFailure(issuer, cause)
      throw new Refusal(
        'upstream_unavailable',
        `The keys of ${issuer} cannot be fetched right now. Try again in a minute.`,
        {},
        { cause },
      )
    })

  /** Each token works once. */
  const spend = async (tx: Tx, used: Parameters<typeof useToken>[1]) => {
    if (!(await useToken(tx, used)))
      throw invalidToken('jti', 'This token was already used; each works once. Request a new one.')
  }

  /** The owner sees the job that was rejected last; the trail records only the first in a while, so that no one can flood it. */
  const emailOwner = async (tx: Tx, publisher: PublisherRow, claim: string, claims: Claims) => {
    const { provider_id, id } = publisher
    const at = now()
    if (!(await noteRefusal(tx, { provider_id, id, at, before: at - refusalEveryMs, claim }))) return
    await events.record(tx, {
      provider_id,
      actor: 'visitor',
      action: 'publisher.refused',
      subject: ['publisher', id],
      after: { claim, token_says: saysOf(claims[claim]), trusted: summaryOf(publisher), ...factsOf(claims) },
    })
  }

  const issue = async (tx: Tx, publisher: PublisherRow, claims: Claims) => {
    const { provider_id, id } = publisher
    const numberOf = (stored: string | null, github: string, gitlab: string) =>
      stored ?? (publisher.kind === 'other' ? null : String(claims[publisher.kind === 'github' ? github : gitlab]))
    const use = {
      provider_id,
      id,
      at: now(),
      repository_id: numberOf(publisher.repository_id, 'repository_id', 'project_id'),
      repository_owner_id: numberOf(publisher.repository_owner_id, 'repository_owner_id', 'namespace_id'),
    }
    if (!(await noteUse(tx, use))) throw new Refusal('publisher_mismatch', 'The publisher was just changed. Try again.')
    // Its first job proves the repository.
    if (publisher.last_used_at === null) await settleTies(tx, { provider_id, at: now() })
    const run = runOf(publisher, claims)
    const expires_at = now() + tokenSeconds * 1_000
    const { key, id: key_id } = await keys.createForPublisher(tx, { provider_id, publisher_id: id, run, expires_at })
    await events.record(tx, {
      provider_id,
      actor: `${id} ${run}`,
      action: 'publisher.used',
      subject: ['publisher', id],
      after: { key_id, run, ...factsOf(claims) },
    })
    return key
  }

  const isAcceptedIssuer = (of: Pick<PublisherRow, 'kind' | 'issuer'>) =>
    issuers.some(({ kind, issuer }) => kind === of.kind && issuer === of.issuer)

  const recordIssuer = (tx: Tx, { provider_id, id, issuer }: PublisherRow, isAccepted: boolean) =>
    events.record(tx, {
      provider_id,
      actor: 'registry',
      action: isAccepted ? 'publisher.issuer_accepted' : 'publisher.issuer_refused',
      subject: ['publisher', id],
      after: { issuer },
    })

  /** With all tokens that its jobs were given. */
  const take = async (tx: Tx, { provider_id, actor }: Caller, id: string): Promise<PublisherRow | undefined> => {
    const removed = await deletePublisher(tx, { provider_id, id })
    if (!removed) return undefined
    await keys.revokeOfPublisher(tx, { provider_id, publisher_id: id })
    if (removed.last_used_at !== null) await settleTies(tx, { provider_id, at: now() })
    await events.record(tx, {
      provider_id,
      actor,
      action: 'publisher.removed',
      subject: ['publisher', id],
      before: summaryOf(removed),
    })
    return removed
  }

  return {
    /** For other exchanges of identity tokens. */
    tokens: {
      /** What a token says, before anything is known about its signature, and what is stored once it was used. */
      read: (token: string) => {
        const read = readIdentityToken(token)
        const { aud, iss } = read.claims
        const audience = [aud].flat()[0]
        if (typeof iss !== 'string') throw invalidToken('iss', 'The token names no issuer.')
        if (typeof audience !== 'string') throw invalidToken('aud', 'The token names no audience.')
        // Some platforms write no jti: then the token itself counts once.
        const claims = { jti: `token ${signedHash(read)}`, ...read.claims }
        checkForm({ ...read, claims }, audience)
        return {
          issuer: iss,
          claims: read.claims,
          used: usedOf(iss, claims),
        }
      },
      checkSignature: (token: string, issuer: string) => checkSignature(issuer, readIdentityToken(token)),
      spend,
    },

    async list({ provider_id }: Caller): Promise<PublisherList> {
      const rows = await listPublishers(database.read, provider_id)
      return {
        publishers: rows.map(publisherOf),
        issuers: issuers.map(({ kind, issuer }) => ({ kind, issuer })),
        audience: publicUrl,
      }
    },

    async add({ provider_id, actor }: Caller, input: NewPublisher): Promise<Publisher> {
      const trusted = trustedOf(input)
      if (!isAcceptedIssuer(trusted))
        throw invalidField(
          'issuer',
          `This registry does not accept ${jobsOf[trusted.kind]} of that issuer. It accepts ${issuers.map(({ kind, issuer }) => `${issuer} for ${jobsOf[kind]}`).join(', ')}. The operator can add others to OIDC_ISSUERS.`,
        )
      const row = {
        ...trusted,
        provider_id,
        id: newId('pub'),
        identity: identityOf(trusted),
        created_at: now(),
        last_used_at: null,
        last_refused_at: null,
        last_refused_claim: null,
        issuer_refused_at: null,
      }
      return database.transaction(async (tx) => {
        const before = await listPublishers(tx, provider_id)
        if (before.length >= limits.publishers)
          throw invalidField(
            'kind',
            `At most ${limits.publishers} publishers are allowed. Remove one you no longer use.`,
          )
        const added = await insertPublisher(tx, row)
        if (!added) {
          const existing = before.find(({ identity }) => identity === row.identity)
          throw new Refusal(
            'publisher_exists',
            'This workflow is already trusted.',
            existing && { existing_publisher: { id: existing.id } },
          )
        }
        await events.record(tx, {
          provider_id,
          actor,
          action: 'publisher.added',
          subject: ['publisher', added.id],
          after: summaryOf(added),
        })
        await mail.alert(tx, provider_id, {
          section: 'publishers',
          subject: 'A trusted publisher was added to your account',
          lines: [
            'Jobs from this source can now register models and versions for you, without a key:',
            { identity: quoteExactly(added.repository ?? added.subject ?? '') },
            "If this wasn't you or your team, remove it now, check your API keys, and change your password.",
          ],
        })
        return publisherOf(added)
      })
    },

    async remove(caller: Caller, id: string): Promise<Publisher> {
      return database.transaction(async (tx) => {
        const removed = await take(tx, caller, id)
        if (!removed) throw notFound()
        return publisherOf(removed)
      })
    },

    /** Removed while suspended: what is needed to restore it. */
    async hold(tx: Tx, caller: Caller, id: string) {
      const removed = await take(tx, caller, id)
      return removed && { name: removed.repository ?? removed.subject, kept: JSON.stringify(removed) }
    },

    /** Does nothing if the same publisher was added again meanwhile. Whether its issuer is accepted may have changed. */
    async putBack(tx: Tx, { provider_id, actor }: Caller, kept: string) {
      const row: PublisherRow = JSON.parse(kept)
      const issuer_refused_at = isAcceptedIssuer(row) ? null : (row.issuer_refused_at ?? now())
      const added = await insertPublisher(tx, { ...row, provider_id, issuer_refused_at })
      if (!added) return
      if (added.last_used_at !== null) await settleTies(tx, { provider_id, at: now() })
      await events.record(tx, {
        provider_id,
        actor,
        action: 'publisher.added',
        subject: ['publisher', added.id],
        after: summaryOf(added),
      })
      if (issuer_refused_at !== null) await recordIssuer(tx, added, false)
    },

    /**
     * When the operator removes an issuer from the settings, tokens of its jobs end, and what they proved about
     * repositories counts again only if the issuer returns.
     */
    async settleIssuers(): Promise<void> {
      for (const { is_refused, ...of } of await listIssuers(database.read)) {
        const isAccepted = isAcceptedIssuer(of)
        if (isAccepted === (is_refused === 0)) continue
        await database.transaction(async (tx) => {
          for (const row of await setIssuerRefused(tx, of, isAccepted ? null : now())) {
            const { provider_id, id } = row
            if (!isAccepted) await keys.revokeOfPublisher(tx, { provider_id, publisher_id: id })
            if (row.last_used_at !== null) await settleTies(tx, { provider_id, at: now() })
            await recordIssuer(tx, row, isAccepted)
          }
        })
      }
    },

    async exchange({ subject_token, provider_id }: TokenExchange): Promise<ExchangedToken> {
      const { issuer, claims } = await checkToken(subject_token)
      const outcome = await database.transaction(async (tx) => {
        const match: Match<PublisherRow> = matchPublisher(await findTrusted(tx, { provider_id, issuer }), claims)
        if (match.state !== 'trusted') {
          if (match.publisher) await emailOwner(tx, match.publisher, match.claim, claims)
          return match
        }
        await spend(tx, usedOf(issuer, claims))
        return { ...match, key: await issue(tx, match.publisher, claims) }
      })
      if (outcome.state !== 'trusted') {
        const { claim, detail } = describeMismatch(outcome, issuer, claims)
        throw new Refusal('publisher_mismatch', detail, { error: 'invalid_grant', claim })
      }
      return {
        access_token: outcome.key,
        issued_token_type: tokenExchange.accessToken,
        token_type: 'Bearer',
        expires_in: tokenSeconds,
        scope: publisherScope,
        provider_id: provider_id,
        publisher_id: outcome.publisher.id,
      }
    },
  }
}

export type PublisherService = ReturnType<typeof createPublisherService>
