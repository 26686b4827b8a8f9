// One object per feature: the bundle would load the whole contract with every command otherwise.
import {
  account,
  activity,
  auth,
  BundleRecord,
  bundles,
  Deployment,
  deployments,
  devices,
  domains,
  type Endpoint,
  type ExitCode,
  Incident,
  incidents,
  keys,
  log,
  ModelHistory,
  members,
  models,
  providers,
  publishers,
  RegisteredModel,
  SignerChallenge,
  SignerRecord,
  search,
  signers,
  signing,
  staged,
  verifications,
  Workload,
  workloads,
} from '@countersign/sdk/contract'
import { z } from 'zod'
import {
  Answered,
  BundleOutcome,
  BundlesOutcome,
  Caller,
  Comparison,
  Diagnosis,
  Explained,
  FileChange,
  Fingerprint,
  KeyFiles,
  LinkVerdict,
  ModelDigest,
  ProfileEntry,
  Request,
  Requests,
  SignedBundle,
  SignedIn,
  SignedOut,
  SignInStatus,
  Signing,
} from './local.ts'
import { LogAudited, LogCheckpoint, LogFacts, LogVerified, Monitored, Witnessing } from './log.ts'

/** What a command promises to its callers. */
export interface Shape {
  /** What `--json` prints on stdout; null if nothing. */
  answer: z.ZodType | null
  /** What it prints with `--dry-run`; by default a request. */
  dryRun?: z.ZodType
  /** The endpoints it calls: their errors give its exit codes. */
  calls?: readonly Endpoint[]
  /** Exit codes of its own. Those of verdicts are declared with the command. */
  exits?: readonly ExitCode[]
  /** All exit codes, if failures are reported differently. */
  onlyExits?: readonly ExitCode[]
}

/** Resolves an identifier. */
const own = [providers.me, providers.models]
const words = z.record(z.string(), z.string().nullable())
const isCreated = { created: z.boolean().optional() }
const WithoutKey = providers.update.response.omit({ api_key: true })

const ofModel = (endpoint: Endpoint): Shape => ({ answer: endpoint.response, calls: [endpoint, ...own] })
/** A record that can be edited with --if-match. */
const tagged = ({ response }: { response: z.ZodObject }) => response.extend({ etag: z.string().optional() })
const ofEndpoint = (endpoint: Endpoint): Shape => ({ answer: endpoint.response, calls: [endpoint] })
const changing = (endpoint: Endpoint): Shape => ({ answer: WithoutKey, calls: [endpoint, providers.me] })
const Triage = z.strictObject({
  answered: z.record(z.enum(['investigating', 'resolved', 'dismissed']), z.array(z.string())),
  duplicates_dismissed: z.array(z.string()),
  skipped: z.array(z.string()),
  closed_by_others: z.array(z.string()),
  left: z.number().int().min(0),
})

/** One entry per command; a test compares both lists, and every entry with the command's output. */
export const shapes: Readonly<Record<string, Shape>> = {
  verify: { answer: LinkVerdict, onlyExits: [0, 2, 130, 143] },
  'tokens mint': ofModel(verifications.create),
  'tokens bind': ofEndpoint(verifications.bind),
  'tokens list': {
    answer: account.verifications.response.pick({ verifications: true }),
    calls: [account.verifications, ...own],
  },
  'tokens stats': ofModel(account.verificationsByDay),

  'providers register': ofEndpoint(providers.register),
  'providers verify-domain': {
    answer: z.union([providers.verifyDomain.response, providers.me.response.shape.domain_proof.unwrap()]),
    calls: [providers.verifyDomain, providers.me],
  },
  'domains list': ofEndpoint(domains.list),
  'domains add': ofEndpoint(domains.add),
  'domains verify': {
    answer: z.union([domains.verify.response, domains.list.response.shape.domains.element.shape.domain_proof]),
    calls: [domains.verify, domains.list],
  },
  'domains remove': ofEndpoint(domains.remove),
  'domains primary': ofEndpoint(domains.makePrimary),

  'providers show': { answer: tagged(providers.me), calls: [providers.me] },
  'providers verify-email': {
    answer: z.union([
      auth.verifyEmail.response,
      auth.sendVerification.response,
      z.strictObject({ needs_verification: z.literal(false), message: z.string() }),
    ]),
    calls: [auth.verifyEmail, auth.sendVerification, providers.me],
  },
  'providers update': changing(providers.update),
  'providers visibility': changing(providers.setVisibility),
  'providers logo': {
    answer: z.union([providers.uploadLogo.response, providers.deleteLogo.response]),
    calls: [providers.uploadLogo, providers.deleteLogo, providers.me],
  },
  'providers trust': {
    answer: providers.me.response.pick({
      trust_level: true,
      trust_score: true,
      trust_factors: true,
      trust_breakdown: true,
    }),
    calls: [providers.me],
  },
  'providers deactivate': changing(providers.deactivate),
  'providers reactivate': changing(providers.reactivate),
  'providers use': {
    answer: SignedIn,
    dryRun: FileChange,
    calls: [auth.login, members.providers, members.use, keys.create, providers.me],
    exits: [5],
  },
  'providers delete': { answer: providers.delete.response, calls: [providers.delete, providers.me] },

  'models register': {
    answer: RegisteredModel.extend({ ...isCreated, bundle: BundleRecord.optional() }),
    calls: [models.register, models.get, models.files, bundles.status, bundles.upload, ...own],
  },
  'models list': { answer: providers.models.response, calls: own },
  'models show': { ...ofModel(models.get), answer: tagged(models.get) },
  'models archive': ofModel(models.archive),
  'models digest': { answer: ModelDigest },
  'models check': { answer: Comparison, calls: [models.get, models.files, ...own] },
  'models edit': ofModel(models.quickEdit),
  'models history': { answer: ModelHistory, calls: [models.history, ...own] },
  'models unarchive': ofModel(models.unarchive),
  'models visibility': ofModel(models.setVisibility),
  'models health': { answer: models.health.response, calls: [models.health, models.setHealth, ...own] },
  'models sync': ofModel(models.syncHuggingface),
  'models verify-bundle': {
    answer: z.union([bundles.verify.response, BundleRecord]),
    calls: [bundles.verify, bundles.status, ...own],
  },

  'bundles sign': { answer: SignedBundle, dryRun: Signing, exits: [4, 8] },
  'bundles verify': { answer: z.union([BundleOutcome, BundlesOutcome]) },
  'bundles upload': { answer: BundleRecord, calls: [bundles.upload, ...own] },
  'bundles status': ofModel(bundles.status),
  'verify-bundle': { answer: BundleOutcome },

  'signers add': { answer: SignerRecord, calls: [signers.declare, signers.challenge, signers.prove] },
  'signers prove': { answer: z.union([SignerRecord, SignerChallenge]), calls: [signers.challenge, signers.prove] },
  'signers list': ofEndpoint(signers.list),
  'signers remove': ofEndpoint(signers.withdraw),
  'members invite': ofEndpoint(members.invite),
  'members list': ofEndpoint(members.list),
  'members remove': ofEndpoint(members.remove),
  'members role': ofEndpoint(members.setRole),
  'members withdraw': ofEndpoint(members.withdraw),
  'activity list': ofEndpoint(activity.list),
  'activity undo': { answer: activity.undo.response, calls: [activity.list, activity.undo] },
  'changes approve': ofEndpoint(staged.approve),
  'changes cancel': ofEndpoint(staged.cancel),
  'changes list': ofEndpoint(staged.list),
  'changes reject': ofEndpoint(staged.reject),
  'changes show': ofEndpoint(staged.get),
  'publishers add': ofEndpoint(publishers.add),
  'publishers list': ofEndpoint(publishers.list),
  'publishers remove': ofEndpoint(publishers.remove),

  'deployments keygen': { answer: KeyFiles },
  'deployments trust add': {
    answer: Workload,
    calls: [workloads.trust, models.allowDeployment, models.list, providers.me, ...own],
  },
  'deployments trust list': ofEndpoint(workloads.list),
  'deployments trust remove': ofEndpoint(workloads.remove),
  'deployments register': {
    answer: Deployment.extend(isCreated),
    calls: [deployments.register, models.allowDeployment, deployments.list, ...own],
  },
  'deployments list': ofEndpoint(deployments.list),
  'deployments show': { answer: Deployment, calls: [deployments.list], exits: [5] },
  'deployments authorize': ofModel(models.allowDeployment),
  'deployments revoke': ofModel(models.revokeDeployment),
  'deployments enable': ofEndpoint(deployments.setStatus),
  'deployments disable': ofEndpoint(deployments.setStatus),
  'deployments delete': ofEndpoint(deployments.delete),

  'incidents report': ofEndpoint(incidents.report),
  'incidents list': ofEndpoint(incidents.list),
  'incidents show': { answer: tagged(incidents.get), calls: [incidents.get] },
  'incidents respond': {
    answer: z.union([Incident, Answered(Incident)]),
    dryRun: z.union([Request, Requests]),
    calls: [incidents.respond, incidents.get],
  },
  'incidents triage': { answer: Triage, dryRun: Triage, calls: [incidents.list, incidents.get, incidents.respond] },

  search: ofEndpoint(search.find),
  open: { answer: z.strictObject({ url: z.string() }), calls: [search.find] },
  'keys create': ofEndpoint(keys.create),
  'keys list': ofEndpoint(keys.list),
  'keys revoke': {
    answer: z.union([keys.revoke.response, keys.compromise.response]),
    calls: [keys.revoke, keys.compromise],
  },
  'keys review': { answer: z.union([keys.reviews.response, keys.review.response]), calls: [keys.reviews, keys.review] },
  status: ofEndpoint(account.attention),
  usage: ofEndpoint(account.usage),
  'events list': ofEndpoint(account.events),
  'events export': {
    answer: z.union([
      account.events.response.omit({ next_cursor: true }),
      z.strictObject({ file: z.string(), events: z.int() }),
    ]),
    calls: [account.events],
  },

  fingerprint: { answer: Fingerprint, exits: [8] },
  'log checkpoint': { answer: LogCheckpoint },
  'log list': ofEndpoint(log.entries),
  'log dispute': ofEndpoint(log.dispute),
  'log proof': { answer: LogFacts, calls: [log.proofs], exits: [5] },
  'log audit': { answer: LogAudited, exits: [8] },
  'log verify': { answer: LogVerified, exits: [8] },
  'log monitor': { answer: Monitored },
  'log witness': { answer: Witnessing },
  mcp: { answer: null, calls: [verifications.create, ...own] },
  doctor: {
    answer: Diagnosis,
    calls: [signing.jwks, providers.me, keys.list, deployments.list, verifications.create],
  },
  // Any endpoint, so any answer and any exit code.
  api: {
    answer: z.unknown(),
    dryRun: z.strictObject({ ...Request.shape, body: z.unknown() }),
    onlyExits: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 130, 143],
  },
  'auth login': {
    answer: SignedIn,
    dryRun: z.union([Request, FileChange]),
    calls: [providers.me, auth.login, keys.create, publishers.exchange, devices.begin, devices.token],
  },
  'auth status': { answer: SignInStatus, calls: [providers.me, keys.list] },
  'auth logout': { answer: SignedOut, dryRun: FileChange },
  'auth list': { answer: z.strictObject({ profiles: z.array(ProfileEntry) }) },
  'auth switch': { answer: ProfileEntry.omit({ is_active: true }), dryRun: FileChange, exits: [5] },
  whoami: { answer: Caller, calls: [providers.me, keys.list] },
  'config get': { answer: words },
  'config list': { answer: words },
  'config unset': { answer: words, dryRun: FileChange },
  'config set': { answer: words, dryRun: FileChange },
  'config explain': { answer: Explained },
  completion: { answer: z.strictObject({ shell: z.enum(['bash', 'zsh', 'fish', 'powershell']), script: z.string() }) },
  commands: { answer: z.looseObject({ commands: z.array(z.looseObject({ path: z.array(z.string()) })) }) },
  version: { answer: z.strictObject({ version: z.string(), node: z.string() }) },
  help: { answer: words },
}
