import { z } from 'zod'
import { type Endpoints, endpoint } from './endpoint.ts'
import { IncidentId, ProviderId, paging, Time, textOrNull } from './fields.ts'
import { routes } from './routes.ts'

/** How far a fact is in the transparency log. */
export const logStates = ['logged', 'being_logged', 'logged_privately', 'not_logged'] as const
/** How far a fact is in the transparency log. */
export type LogState = (typeof logStates)[number]

/** How far the facts behind a link are in the transparency log, as the registry says. Proofs are at `log.proofs`. */
export const LinkLog = z.strictObject({
  state: z.enum([...logStates, 'could_not_check']),
  /** Entries of the newest signed tree. */
  size: z.number().int().nullable(),
  /** Whether the registry’s witnesses have cosigned a tree with these facts. */
  is_witnessed: z.boolean(),
  /** The facts, with the positions of their entries. */
  facts: z.array(z.strictObject({ fact: z.string(), index: z.number().int().nullable() })),
})
/** How far the facts behind a link are in the transparency log, as the registry says. */
export type LinkLog = z.infer<typeof LinkLog>

/** A text that an entry has only a salted hash of. */
const LogDisclosure = z.strictObject({
  field: z.string(),
  /** 32 bytes in base64url. */
  salt: z.string(),
  value: z.string(),
})

/** The last entry of the log about one fact. */
export const LoggedFact = z.strictObject({
  subject: z.string(),
  /** Which of the subject’s facts, such as `version` or `domain acme.example`. */
  fact: z.string(),
  state: z.enum(logStates),
  type: textOrNull,
  at: Time.nullable(),
  index: z.number().int().nullable(),
  /** The entry as it is hashed: canonical JSON. */
  entry: textOrNull,
  disclosures: z.array(LogDisclosure),
  /** c2sp.org/tlog-proof. */
  proof: textOrNull,
})
export type LoggedFact = z.infer<typeof LoggedFact>

/** What the log says about a subject, with proofs. For a link: the facts that its verdict rests on. */
export const LogProofs = z.strictObject({
  origin: z.string(),
  state: z.enum(logStates),
  facts: z.array(LoggedFact),
  /** For a link: the registry’s signature on the verdict and its facts, a JWT of type `verdict+jwt`. */
  statement: textOrNull,
})
export type LogProofs = z.infer<typeof LogProofs>

interface ShownByLink {
  /** ID of the token. */
  jti: string
  challenge: string | null
  origin: string | null
  /** The bound answer, and who bound it. */
  response_hash: string | null
  bound_by: string | null
}

/**
 * What a link shows besides facts that are in the log, as one text. The registry's statement has only the text's SHA-256, so that it can be
 * published.
 */
export const shownByLink = ({ jti, challenge, origin, response_hash, bound_by }: ShownByLink): string =>
  JSON.stringify([jti, challenge, origin, response_hash, bound_by])

/** An entry of the log about the caller. */
export const OwnLogEntry = z.strictObject({
  state: z.enum(logStates),
  index: z.number().int().nullable(),
  /** SHA-256 of the leaf, in base64. */
  leaf_hash: z.string(),
  type: z.string(),
  at: Time,
  subject: z.string(),
  /** What it says, in one sentence. */
  says: z.string(),
  /** The texts that the entry has only a salted hash of. */
  names: z.array(z.strictObject({ field: z.string(), value: z.string() })),
  /** The report that says that it was not the caller. */
  report_id: IncidentId.nullable(),
})
export type OwnLogEntry = z.infer<typeof OwnLogEntry>

/** A name of another company that is near one of the caller's. */
export const NearName = z.strictObject({
  /** Null if it was erased. */
  text: textOrNull,
  field: z.enum(['domain', 'company_name', 'identifier', 'display_name']),
  near: z.enum(['same', 'other_ending', 'lookalike', 'typo', 'added_words']),
  /** The caller's domain or name that it is near. */
  yours: z.string(),
  provider_id: ProviderId,
  index: z.number().int(),
  at: Time,
})
export type NearName = z.infer<typeof NearName>

/** An urgent report to the operator about an entry. */
export const DisputedEntry = z.strictObject({
  report_id: IncidentId,
  index: z.number().int(),
  leaf_hash: z.string(),
  reported_at: Time,
  is_open: z.boolean(),
})
export type DisputedEntry = z.infer<typeof DisputedEntry>

/** Endpoints of the transparency log; its tiles are at `/log`. */
export const log = {
  proofs: endpoint(routes.log.proofs, {
    summary:
      'What the transparency log says about a link, provider, version, deployment, signer or signing key, with proofs',
    caller: 'optional',
    scope: 'read',
    params: z.strictObject({ subject: z.string().min(1) }),
    response: LogProofs,
    errors: [
      'not_found',
      'link_malformed',
      'link_mistyped',
      'link_forged',
      'link_unknown',
      'link_foreign',
      'could_not_check',
    ],
  }),
  entries: endpoint(routes.log.entries, {
    summary: 'What the transparency log says about the caller’s provider, newest first',
    caller: 'provider',
    query: z.strictObject(paging),
    response: z.strictObject({ entries: z.array(OwnLogEntry), next_cursor: textOrNull }),
  }),
  near: endpoint(routes.log.near, {
    summary:
      'Domains and names of other companies near the caller’s, newest first: only those that their companies have now and that were logged after the caller’s',
    caller: 'provider',
    query: z.strictObject(paging),
    response: z.strictObject({ names: z.array(NearName), next_cursor: textOrNull }),
  }),
  dispute: endpoint(routes.log.dispute, {
    summary:
      'Tell the operator that an entry was not you. Files an urgent report and emails all owners; the same entry again gets the same report',
    caller: 'provider',
    scope: 'incidents',
    whileDeactivated: true,
    body: z.strictObject({}),
    params: z.strictObject({ index: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER) }),
    response: DisputedEntry,
  }),
} satisfies Endpoints<typeof routes.log>
