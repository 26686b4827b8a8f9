import type {
  Binding,
  DeploymentProof,
  Model,
  ModelField,
  ModelFields,
  ReviewKind,
  Role,
} from '@countersign/sdk/contract'
import type { Generated, Kysely, Transaction } from 'kysely'
import type { ProviderFieldColumns } from './provider-fields.ts'

/** Milliseconds since 1970. Integers rather than dates, so that both engines return what was stored. */
export type Millis = number
/** 0 or 1: SQLite has no booleans. */
export type Flag = 0 | 1
/** JSON text, written and read by the store. */
export type Json = string

export interface ProviderTable extends ProviderFieldColumns {
  id: string
  /** Its primary domain. These columns mirror the row of `provider_domains`; only `domains/store.ts` writes them. */
  domain: string | null
  domain_nonce: string
  /** Also null while the proof is stale. */
  domain_verified_at: Millis | null
  domain_verification_method: ProofMethod | null
  /** When the proof was last confirmed. */
  domain_checked_at: Millis | null
  domain_stale_since: Millis | null
  /** `proven_since` of the domain. */
  domain_since: Generated<Millis | null>
  email: string | null
  /** Lower case, for comparison. */
  email_norm: string | null
  email_verified_at: Millis | null
  /** The identity provider that vouched for the address; null once the mailbox was verified by us. */
  email_vouched_by: 'github' | 'google' | null
  logo_url: string | null
  /** ID of the logo that we serve. */
  logo_id: string | null
  /** Verifications opened by visitors other than the provider. */
  opened_count: number
  is_listed: Flag
  /** Skeleton of the company name: equal for names that look alike. */
  name_skeleton: string | null
  /** Since when it has continuously had this name and a proven domain. */
  name_since: Generated<Millis | null>
  /** The name breaks the rules: its provider is not listed. */
  unfit_name: Generated<Flag>
  /** 1 once the stored names of the provider and its models were checked. */
  names_checked: Generated<Flag>
  notify_incidents: Generated<Flag>
  notify_weekly: Generated<Flag>
  notify_security: Generated<Flag>
  /** When the last weekly report was made. */
  weekly_report_at: Millis | null
  created_at: Millis
  updated_at: Millis
  deactivated_at: Millis | null
  /** Since a restore, until its owner confirms the account; `deactivated_at` is set as well. */
  suspended_at: Millis | null
  deleted_at: Millis | null
  /** When the last personal data was erased from the links of a deleted account. */
  erased_at: Millis | null
}

export type ProofMethod = 'dns' | 'file'

/** A domain that a provider has proven or wants to prove. */
export interface ProviderDomainTable {
  provider_id: string
  /** Registrable, lower case, in ASCII. */
  domain: string
  /** The record to publish is derived from it. */
  nonce: string
  /** The domain that pages show; one for each provider. */
  is_primary: Flag
  method: ProofMethod | null
  /** Set by at most one provider per domain. */
  verified_at: Millis | null
  /** Since when it has been proven without a gap. A change of method or a stale proof is no gap. */
  proven_since: Generated<Millis | null>
  /** When the proof was last confirmed; kept after it was lost. */
  checked_at: Millis | null
  /** Since when the proof could not be checked. */
  stale_since: Millis | null
  /** When the proof, or the contest, is checked next. */
  due_at: Millis | null
  /** When this provider was first seen to hold a domain that another has proven, and by which method. */
  contested_at: Millis | null
  contested_by: ProofMethod | null
  /** When the proof ended without the owner's action. */
  lost_at: Millis | null
  /** A notification that the owner has yet to receive. */
  notice: 'email_ended' | null
  /** The party that blocked the claim, which cannot be proven until they allow it. */
  blocked_by: 'operator' | 'review' | null
  created_at: Millis
}

export interface ApiKeyTable {
  id: string
  provider_id: string
  /** The eight characters of the key that find its row. */
  lookup: string
  /** SHA-256 of the whole key, hex. */
  hash: string
  name: string
  key_prefix: string
  /** List of scopes; null: all scopes. */
  scopes: Json | null
  /** The person who made it, even if with another key; null for keys without a member. */
  person_id: Generated<string | null>
  /** The role of its maker. Null: owner. */
  role: Generated<Role | null>
  created_at: Millis
  expires_at: Millis | null
  last_used_at: Millis | null
  revoked_at: Millis | null
  /** When its owner reported a leak, and since when changes made with it are not trusted. */
  compromised_at: Millis | null
  compromised_since: Millis | null
  /** For a token given to a trusted publisher: the job that requested it. */
  publisher_id: string | null
  publisher_run: string | null
}

/** A change made by a compromised key, or by a key it created: suspended until the owner decides. */
export interface KeyReviewTable {
  provider_id: string
  id: string
  /** The key that was reported. */
  key_id: string
  /** The key that made the change: the reported key, or one that it created. */
  actor: string
  kind: ReviewKind
  subject_id: string
  /** The name its owner knows it by. */
  name: string | null
  changed_at: Millis
  /** The removed row or the changed values, for restoring them. */
  kept: Json | null
  created_at: Millis
  decision: 'confirmed' | 'withdrawn' | null
  decided_at: Millis | null
}

/** A workflow whose jobs may publish without a key. */
export interface TrustedPublisherTable {
  provider_id: string
  id: string
  kind: 'github' | 'gitlab' | 'other'
  issuer: string
  repository: string | null
  /** The immutable number; null until the first use pins it. */
  repository_id: string | null
  repository_owner_id: string | null
  workflow: string | null
  environment: string | null
  subject: string | null
  /** Hash of everything it is matched by except the numbers, so that the same publisher is trusted once. */
  identity: string
  created_at: Millis
  last_used_at: Millis | null
  last_refused_at: Millis | null
  last_refused_claim: string | null
  /** Since when the registry no longer accepts its issuer. */
  issuer_refused_at: Millis | null
}

/** Identities of platforms that may stand for a deployment. */
export interface WorkloadTable {
  provider_id: string
  id: string
  deployment_id: string
  issuer: string
  subject: string
  /** Further claims by name, which must be equal. */
  claims: Json
  audience: string
  /** Hash of everything it is matched by, so that it is trusted once. */
  identity: string
  created_at: Millis
  last_used_at: Millis | null
  /** It is ignored while the registry does not accept its issuer. */
  issuer_refused_at: Millis | null
}

/** Keys of workloads, which live for an hour. */
export interface WorkloadKeyTable {
  provider_id: string
  spki_fingerprint: string
  workload_id: string
  created_at: Millis
  expires_at: Millis
}

/** Identity tokens of CI jobs that were exchanged, kept until they expire: each works once. */
export interface UsedIdentityTokenTable {
  /** SHA-256 of issuer and `jti`, base64url. */
  hash: string
  expires_at: Millis
}

/** The kinds of fields that are stored in another form. */
export interface EncodedColumn {
  words: Json
  document: Json | null
  flag: Flag
}

/** What a provider states of a model: one column for each row of the contract's table. */
export type ModelFieldColumns = { [Name in ModelField]: ColumnOf<Name> }

type ColumnOf<Name extends ModelField, Kind = ModelFields[Name]['kind']> = Kind extends keyof EncodedColumn
  ? EncodedColumn[Kind]
  : Kind extends 'required'
    ? string
    : Model[Name]

export interface ModelTable extends ModelFieldColumns {
  id: string
  provider_id: string
  /** One of its names breaks the rules, so it is not listed. */
  unfit_name: Generated<Flag>
  version_number: number
  health_status: 'healthy' | 'unhealthy' | 'unknown'
  /** Hundredths of a percent. */
  uptime_7d: number | null
  health_last_check: Millis | null
  health_interval_seconds: Generated<number>
  /** When it is probed next; null if it is not probed. */
  health_due_at: Millis | null
  /** In a row. */
  health_failures: Generated<number>
  /** Commit on the hub that the card was last read from. */
  huggingface_revision: string | null
  /** Links that people other than its provider opened. */
  opened_count: Generated<number>
  bundle_status: 'unknown' | 'verified' | 'invalid' | 'error'
  bundle_last_checked: Millis | null
  bundle_verification_details: Json | null
  /** The complete last verdict. */
  bundle_verdict: Json | null
  /** `{ signer, digest }` from it: who signed, and the digest of this version that it was compared with. */
  bundle_signer: Json | null
  /** Domain of the mailbox that signed; null for other signers. A verdict is `verified` only while this domain is proven: db/bundle-verdicts.ts. */
  bundle_domain: string | null
  /** The trusted root used for the last verdict. */
  bundle_root: string | null
  /**
   * When the bundle is checked next; null if there is none. A checker claims it by setting a later time of its own, and a change to
   * anything a verdict depends on sets it to now: a verdict is written only if the claimed time is still there.
   */
  bundle_due_at: Millis | null
  /** Since when a user waits for a check; null if no one does. */
  bundle_asked_at: Millis | null
  /** How many checks in a row failed. */
  bundle_failures: Generated<number>
  is_active: Flag
  is_latest: Flag
  is_archived: Flag
  is_demo: Flag
  predecessor_id: string | null
  successor_id: string | null
  created_at: Millis
  /** When it got its current digest; null if it has none. */
  digest_at: Millis | null
  first_verified_at: Millis | null
  /** Since then links name it, and it cannot be edited in place. */
  first_minted_at: Millis | null
  superseded_at: Millis | null
  /** Set when the owner withdraws the version, not when a newer one supersedes it. */
  archived_at: Millis | null
  archive_reason: string | null
  deleted_at: Millis | null
}

export interface DeploymentTable {
  id: string
  provider_id: string
  spki_fingerprint: string
  spiffe_id: string | null
  cloud_identity: string | null
  labels: Json
  status: 'enabled' | 'disabled'
  created_at: Millis
  proven_at: Millis | null
  proven_by: DeploymentProof | null
  last_proven_at: Millis | null
  last_proven_by: DeploymentProof | null
  /** The platform identity of the last proof, which may be gone. Null if the proof was of another kind. */
  last_proven_workload: string | null
  last_used_at: Millis | null
  /** Null while it is enabled. */
  disabled_at: Millis | null
  deleted_at: Millis | null
}

export interface AuthorizationTable {
  provider_id: string
  model_id: string
  deployment_id: string
  authorized_at: Millis
}

/** An authorization that was taken back, and not given again. */
export interface EndedAuthorizationTable {
  provider_id: string
  model_id: string
  deployment_id: string
  ended_at: Millis
}

/** `suspended`: it signed before a restore, and the operator has not confirmed it since. */
export type SigningKeyState = 'next' | 'active' | 'retired' | 'compromised' | 'suspended'

export interface SigningKeyTable {
  kid: string
  state: SigningKeyState
  public_x: string
  /** AES-256-GCM of the PKCS #8 key: base64url of nonce, tag and ciphertext. */
  private_encrypted: string
  created_at: Millis
  activated_at: Millis | null
  retired_at: Millis | null
  compromised_at: Millis | null
}

export interface VerificationTable {
  id: string
  provider_id: string
  model_id: string
  deployment_id: string | null
  binding: Binding | null
  kid: string
  /** Time bucket and hash of the link code; the code itself is not stored. */
  code_key: string
  /** SHA-256 of the token, base64url. */
  token_digest: string
  issued_at: Millis
  expires_at: Millis
  /** What it names, as it was when it was minted. */
  snapshot_id: string
  /** The key it was minted with; null for a session, and for old links. */
  api_key_id: string | null
  user_fp: string | null
  challenge: string | null
  origin: string | null
  /** The provider's own domain that the origin belongs to; null if there is none, or if another owner granted it. */
  origin_domain: string | null
  prompt_hash: string | null
  metadata: Json | null
  opened_at: Millis | null
  /** The workload that stood for the deployment; the link ends when it is no longer trusted. */
  workload_id: string | null
  /** What its platform said: issuer, subject and the fingerprint of its key. */
  workload: Json | null
  /** `nonceKeyOf` the signed request that made it. Unique, so that a request makes one link. Null if it was not signed. */
  nonce: string | null
  /** How often people opened its page after the first time, which is `opened_at`. */
  reopened_count: Generated<number>
}

/** What a link names, as it was at minting. Content-addressed: links of the same content share a row, and rows never change. */
export interface LinkSnapshotTable {
  provider_id: string
  /** Digest of the content. */
  id: string
  api_model_identifier: string
  display_name: string
  version: string
  model_type: string
  model_digest: string | null
  company_name: string | null
  website: string | null
  /** The primary domain, if it was proven. */
  domain: string | null
  /** Skeleton of the company name. */
  name_skeleton: string | null
}

export interface BindingTable {
  provider_id: string
  verification_id: string
  bound_by: 'provider' | 'bearer'
  response_hash: string
  token_digest: string
  bound_at: Millis
  /** The provider's key that bound it; null for a session, and for other callers. */
  api_key_id: string | null
}

export interface EventTable {
  id: string
  provider_id: string
  /** ID of the key or session that acted, or `registry`. */
  actor: string
  /** The person whose session it was. */
  person_id: string | null
  action: string
  subject_type: string
  subject_id: string
  at: Millis
  before: Json | null
  after: Json | null
}

export interface IdempotencyTable {
  principal: string
  key: string
  request_hash: string
  state: 'in_flight' | 'done'
  status: number | null
  response: Json | null
  created_at: Millis
  expires_at: Millis
}

export interface HealthHourTable {
  provider_id: string
  model_id: string
  hour: Millis
  checks: number
  healthy: number
}

/** The networks that opened a provider's links on a day, so that each counts once. */
export interface OpenedByDayTable {
  provider_id: string
  day: number
  /** HMAC of the visitor's network. */
  viewer: string
}

/** How many of a model's links people opened on a day, each counted once. Days since 1970, UTC. */
export interface OpeningsByDayTable {
  provider_id: string
  day: number
  model_id: string
  openings: number
}

/** Links that a provider minted on a day. Saved every ten seconds by each process. */
export interface LinkUsageTable {
  provider_id: string
  /** Days since 1970, UTC. */
  day: number
  links: number
}

/** The stored bundle of a version: what its owner uploaded, or what was fetched last. */
export interface BundleTable {
  provider_id: string
  model_id: string
  /** `redirect`: its address redirected to another origin. */
  source: 'upload' | 'url' | 'redirect'
  /** The model's `sigstore_bundle_url` when it was received; with another address, this bundle is outdated. */
  url: string | null
  bytes: Buffer
  /** Hex. */
  sha256: string
  received_at: Millis
}

/** Files of a version, many in one row; `files` is a list of name, size and SHA-256 (hex). */
export interface ModelFilesTable {
  provider_id: string
  model_id: string
  /** Position of the first of them, from 0, in the order that the digest depends on. */
  first_position: number
  files: Json
}

export interface DeclaredSignerTable {
  provider_id: string
  id: string
  /** Null: all models. */
  api_model_identifier: string | null
  signer: Json
  created_at: Millis
  /** The challenge that its holder has to sign, and until when. */
  challenge: string | null
  challenge_expires_at: Millis | null
  /** When its holder last signed a challenge. */
  proven_at: Millis | null
  /** SHA-256 of the SPKI, hex, of the keys that did. */
  proven_keys: Json | null
}

export interface LogoTable {
  provider_id: string
  id: string
  /** WebP. */
  bytes: Buffer
  created_at: Millis
}

/** Someone who signs in. Their mailbox was verified. */
export interface PersonTable {
  id: string
  email: string
  /** Lower case, for comparison. */
  email_norm: string
  email_verified_at: Millis
  /** The identity provider that vouched for the address; null once the mailbox was verified by us. */
  email_vouched_by: 'github' | 'google' | null
  created_at: Millis
}

export interface MemberTable {
  provider_id: string
  person_id: string
  role: Role
  created_at: Millis
}

/** Deleted once it is accepted or withdrawn. One address has at most one of each provider. */
export interface InvitationTable {
  provider_id: string
  id: string
  /** SHA-256 of the token in the link, hex. */
  token_hash: string
  email: string
  email_norm: string
  role: Role
  /** The member who sent it; null for a key. */
  invited_by: string | null
  /** Sent with presence, because the provider was protected. */
  is_proven: Flag
  created_at: Millis
  expires_at: Millis
}

export interface PasswordTable {
  person_id: string
  /** PHC string of argon2id. */
  hash: string
  set_at: Millis
}

export interface IdentityTable {
  issuer: string
  subject: string
  person_id: string
  login: string | null
  email: string | null
  linked_at: Millis
}

/** A passkey or an authenticator with which a person proves that they are there. */
export interface FactorTable {
  person_id: string
  id: string
  kind: 'passkey' | 'totp'
  name: string
  /** The passkey’s ID, base64url. */
  credential_id: string | null
  /** The passkey’s COSE key, base64url. */
  public_key: string | null
  /** The passkey’s hints for browsers, a JSON list. */
  transports: Json | null
  /** The authenticator’s secret, encrypted. */
  secret: string | null
  /** The passkey’s counter, or the authenticator’s last time step: an answer counts once. */
  counter: number
  created_at: Millis
  effective_at: Millis
  /** The last factor of an owner is removed after a waiting time. */
  removes_at: Millis | null
  last_used_at: Millis | null
}

/** Each works once. */
export interface RecoveryCodeTable {
  person_id: string
  /** HMAC, hex. */
  code_hash: string
  created_at: Millis
}

/** A session’s proof that its person was there. */
export interface PresenceTable {
  session_id: string
  /** SHA-256 of the cookie, hex. */
  hash: string
  person_id: string
  factor_id: string
  /** The one call that was approved; until that call is made, the proof is valid for no other. */
  method: string | null
  path: string | null
  body_digest: string | null
  created_at: Millis
  expires_at: Millis
  used_at: Millis | null
}

export interface SessionTable {
  person_id: string
  /** The provider for which the person acts. */
  provider_id: string
  id: string
  /** SHA-256 of the token, hex. */
  token_hash: string
  user_agent: string | null
  /** What a machine without a browser calls itself. */
  device: Generated<string | null>
  created_at: Millis
  last_used_at: Millis
  expires_at: Millis
  revoked_at: Millis | null
}

export interface RegistrationTable {
  id: string
  email: string
  email_norm: string
  company_name: string | null
  website: string | null
  password_hash: string | null
  /** SHA-256 of the registering browser's cookie. */
  cookie_hash: string | null
  confirmation_hash: string
  created_at: Millis
  expires_at: Millis
  completed_at: Millis | null
}

/** The code that is emailed for a first factor, and the challenges of passkeys. */
export type FactorPurpose = 'factor_code' | 'add_factor' | 'add_totp' | 'totp_tries' | 'prove' | 'passkey_sign_in'
/** A person’s new address with its emailed code, and the way back from it. */
export type MailboxPurpose = 'new_mailbox' | 'old_mailbox'
export type TokenPurpose =
  | 'verify_email'
  | 'setup'
  | 'reset'
  | 'link'
  | 'oauth_state'
  | 'hand_off'
  | FactorPurpose
  /** A device that waits for its person; the hash is keyed, of the code that people type. */
  | 'device'
  | MailboxPurpose
  | 'undo_change'
  | 'recovery'

export interface OneTimeTokenTable {
  /** SHA-256, hex. */
  hash: string
  purpose: TokenPurpose
  registration_id: string | null
  /** For an address to be verified: the provider that has it. */
  provider_id: string | null
  /** For signing in: the person. */
  person_id: Generated<string | null>
  email_norm: string | null
  code_hash: string | null
  cookie_hash: string | null
  data: Json | null
  /** Wrong guesses with one side of an email; too many end it for everyone. */
  attempts: number
  /** Wrong codes with neither side; too many end the code for those who show nothing else. */
  stray_attempts: Generated<number>
  created_at: Millis
  expires_at: Millis
  used_at: Millis | null
}

export interface IncidentTable {
  provider_id: string
  id: string
  model_id: string
  verification_id: string | null
  category: 'harmful_content' | 'technical_error' | 'impersonation' | 'privacy_violation' | 'other'
  severity: 'low' | 'medium' | 'high' | 'critical'
  status: 'reported' | 'investigating' | 'resolved' | 'dismissed'
  title: string
  description: string
  reference_url: string | null
  screenshot_url: string | null
  reporter_email: string | null
  reporter_fingerprint: string | null
  is_verified_report: Flag
  counts_publicly: Flag
  provider_response: string | null
  created_at: Millis
  updated_at: Millis
  resolved_at: Millis | null
  /** When its provider was emailed or had already answered; the time of the report if it was emailed at once. */
  digested_at: Millis | null
  /** The domain that the provider had proven when it was reported; reputation is kept per domain and identifier. */
  domain: string | null
  /** In lower case. */
  api_model_identifier: string | null
  /** When the operator withdrew it, and why. */
  withdrawn_at: Millis | null
  withdrawn_reason: string | null
}

/** Models that the operator chose for the landing page. */
export interface SampleTable {
  model_id: string
  added_at: Millis
}

export interface MailTable {
  id: string
  recipient: string
  subject: string
  /** Empty once the email was sent, because its links contain secrets. */
  body_text: string
  body_html: string
  /** The limit that it counts towards; null: none. */
  cap: string | null
  /** The inbox that it counts for: the recipient without aliases. */
  inbox: Generated<string | null>
  attempts: number
  /** When to try (again); null once sent or given up. */
  due_at: Millis | null
  created_at: Millis
  sent_at: Millis | null
}

export interface JobTable {
  name: string
  due_at: Millis
  holder: string | null
  leased_until: Millis | null
  last_run_at: Millis | null
}

/** Counts of requests, for all replicas together. */
export interface RateLimitTable {
  key: string
  points: number
  expire: Millis | null
}

/** The public listing of a provider. Hidden ones have no row. */
export interface ListedProviderTable {
  id: string
  /** Verified first, then popular, then oldest: `placeOf` in `search/rules.ts`. */
  place: number
  names: string
  words: string
  /** Folded name, to sort by. */
  title: string
  /** `0` or `1` and the title: verified ones first. */
  standing: string
  /** PostgreSQL only. */
  lexemes?: string
}

/** The public version of an identifier. Hidden ones have no row. */
export interface ListedModelTable {
  provider_id: string
  api_model_identifier: string
  id: string
  place: number
  names: string
  words: string
  title: string
  /** Folded name of the provider. */
  company: string
  /** Release date; 0 if unknown. */
  year: number
  context: number
  created_at: Millis
  lexemes?: string
}

export interface LeaseTable {
  name: string
  holder: string
  expires_at: Millis
}

/** The transparency log; one row. */
export interface LogStateTable {
  name: 'log'
  /** Fixed when the log is opened. */
  origin: string
  /** How many entries the tree has. */
  size: number
  /** Incremented by every write to the tree, which must name the previous value. */
  fence: number
  /** The process that writes to the tree, and until when the others leave it alone. */
  holder: string | null
  leased_until: Millis | null
  created_at: Millis
  /** When everything that the registry held had been logged. */
  opened_at: Millis | null
  /** Why nothing is signed until the operator recovers the log. */
  halted: 'restored' | 'behind' | null
}

/** Keys that sign checkpoints. */
export interface LogKeyTable {
  /** Hex, as in a verifier key. */
  key_id: string
  public_x: string
  /** Like a signing key, but under an encryption key of its own. */
  private_encrypted: string
  created_at: Millis
  /** Null: announced in the log, and not signing yet. */
  signs_from: Millis | null
  signs_until: Millis | null
}

/** What the log says now about a subject: the last entry of each fact. */
export interface LogFactTable {
  provider_id: string
  subject: string
  fact: string
  /** Orders the entries of a fact: IDs of other processes may have another order. */
  revision: number
  /** Empty: known, without an entry. */
  type: string
  /** Digest of the entry's content. */
  digest: string
  is_public: Flag
  entry_id: string | null
}

interface LogEntryColumns {
  id: string
  /** The provider; `registry` for the registry’s own facts. */
  owner: string
  /** What it is about: the ID of a provider, version, deployment, signer or signing key. */
  subject: string
  type: string
  is_public: Flag
  at: Millis
  /** The bytes that are hashed. */
  leaf: string
  /** The texts that the leaf has only a salted hash of, with the salt. Null: none, or erased. */
  revealed: Json | null
  /** The domain that was proven, became stale or was lost; null for entries about anything else. */
  domain: string | null
}

/** Written in the transaction of the change that it reports. */
export interface LogPendingTable extends LogEntryColumns {
  revision: number
  /** Its index in the tree, once that is decided. It is signed only after that is durable. */
  position: number | null
}

export interface LogEntryTable extends LogEntryColumns {
  /** Its index in the tree. */
  position: number
}

/** Hashes of the tree as https://c2sp.org/tlog-tiles; the last tile of a level may grow. */
export interface LogTileTable {
  level: number
  tile: number
  hashes: Buffer
}

export interface LogCheckpointTable {
  size: number
  /** Signed by the log. */
  note: string
  at: Millis
}

export interface LogCosignatureTable {
  size: number
  witness: string
  line: string
  at: Millis
}

/** What each witness has seen. */
export interface LogWitnessTable {
  name: string
  size: number
  answered_at: Millis | null
  /** Why it did not cosign last time. */
  trouble: string | null
}

/** Entries that their owner says were not theirs: urgent reports for the operator. */
export interface LogDisputeTable {
  provider_id: string
  /** Like that of other reports. */
  id: string
  /** Once per entry. */
  entry_id: string
  position: number
  leaf_hash: string
  /** The key or session that reported it. */
  actor: string
  created_at: Millis
  /** When the operator closed it, and why. */
  closed_at: Millis | null
  closed_reason: string | null
}

/** Entries about which the owners are emailed, once each. */
export interface LogNoticeTable {
  provider_id: string
  entry_id: string
  type: string
  at: Millis
  mailed_at: Millis | null
  /** The email, which may be about several entries. */
  mail_id: string | null
}

/** Keys of a company's domains and name, to find names near them. */
export interface LogNearKeyTable {
  provider_id: string
  kind: 'domain' | 'name'
  own: string
  fragment: string
}

/** Entries of other companies with a name near one of the company's own. */
export interface LogNearTable {
  provider_id: string
  other: string
  /** The domain, or the field and the entry of the name: each is reported once per company. */
  what: string
  /** The field of the entry that has the name. */
  field: 'domain' | 'company_name' | 'identifier' | 'display_name'
  own: string
  near: 'same' | 'other_ending' | 'lookalike' | 'typo' | 'added_words'
  entry_id: string
  position: number
  at: Millis
}

export interface MigrationTable {
  name: string
  applied_at: Millis
}

/** `version`: of the server that last brought the schema up to date. */
export interface RegistryFactTable {
  name: string
  value: string
}

export interface ChangeTable {
  provider_id: string
  id: string
  /** The endpoint, such as `keys.create`. */
  endpoint: string
  /** JSON. */
  params: string
  /** JSON as it was sent; null once it was decided. */
  body: string | null
  if_match: string | null
  /** Digest of endpoint, parameters and body, while it is open or delayed: the same call waits once. */
  digest: string | null
  /** The key or job that called. */
  actor: string
  key_id: string | null
  /** `stop`: done at once and counted. `delayed`: it is `done` when it expires, unless it is `cancelled`. */
  state: 'open' | 'approved' | 'rejected' | 'stop' | 'delayed' | 'done' | 'cancelled'
  created_at: Millis
  expires_at: Millis
  decided_at: Millis | null
  /** The person. */
  decided_by: string | null
}

export interface Schema {
  providers: ProviderTable
  provider_domains: ProviderDomainTable
  api_keys: ApiKeyTable
  key_reviews: KeyReviewTable
  trusted_publishers: TrustedPublisherTable
  used_identity_tokens: UsedIdentityTokenTable
  workloads: WorkloadTable
  workload_keys: WorkloadKeyTable
  models: ModelTable
  deployments: DeploymentTable
  authorizations: AuthorizationTable
  ended_authorizations: EndedAuthorizationTable
  signing_keys: SigningKeyTable
  verifications: VerificationTable
  link_snapshots: LinkSnapshotTable
  bindings: BindingTable
  events: EventTable
  idempotency: IdempotencyTable
  health_hours: HealthHourTable
  opened_by_day: OpenedByDayTable
  openings_by_day: OpeningsByDayTable
  link_usage: LinkUsageTable
  bundles: BundleTable
  model_files: ModelFilesTable
  declared_signers: DeclaredSignerTable
  logos: LogoTable
  people: PersonTable
  members: MemberTable
  factors: FactorTable
  recovery_codes: RecoveryCodeTable
  presences: PresenceTable
  invitations: InvitationTable
  changes: ChangeTable
  passwords: PasswordTable
  identities: IdentityTable
  sessions: SessionTable
  registrations: RegistrationTable
  one_time_tokens: OneTimeTokenTable
  incidents: IncidentTable
  samples: SampleTable
  mails: MailTable
  jobs: JobTable
  rate_limits: RateLimitTable
  listed_providers: ListedProviderTable
  listed_models: ListedModelTable
  leases: LeaseTable
  log_state: LogStateTable
  log_keys: LogKeyTable
  log_facts: LogFactTable
  log_pending: LogPendingTable
  log_entries: LogEntryTable
  log_tiles: LogTileTable
  log_checkpoints: LogCheckpointTable
  log_cosignatures: LogCosignatureTable
  log_witnesses: LogWitnessTable
  log_disputes: LogDisputeTable
  log_notices: LogNoticeTable
  log_near_keys: LogNearKeyTable
  log_near: LogNearTable
  migrations: MigrationTable
  registry_facts: RegistryFactTable
}

/** A read connection; on SQLite it is read-only. */
export type Db = Kysely<Schema>
/** The connection of one write transaction. */
export type Tx = Transaction<Schema> & { readonly isTransaction: true }
