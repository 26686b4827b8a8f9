import type { EndpointName, Target } from './tour.ts'

/** Who calls: thieves with one stolen thing, machines, then members, who have presence where their provider is protected. */
export const actors = [
  'stolen session',
  'stolen password',
  'stolen mailbox',
  'full key',
  'key of a publisher',
  'CI job',
  'device session',
  'removed member',
  'owner',
  'admin',
  'publisher',
  'responder',
  'viewer',
] as const
export type Actor = (typeof actors)[number]

/**
 * A letter for each actor, in that order. `a`: allowed, as far as credentials and presence go. `s`: staged. `-`: rejected.
 * The owner's mailbox gives nothing if the provider is protected.
 */
export interface Cells {
  unprotected: string
  protected: string
}

const kinds = {
  /** Anyone may call it; useless credentials are ignored. */
  anyone: { unprotected: 'aaaaaaaaaaaaa', protected: 'aaaaaaaaaaaaa' },
  /** Anyone may call it, but useless credentials are rejected. */
  anyoneValid: { unprotected: 'aaaaa-a-aaaaa', protected: 'aaaaa-a-aaaaa' },
  /** Data that every member may see. */
  read: { unprotected: 'aaaaa-a-aaaaa', protected: 'aa-aa-a-aaaaa' },
  /** Data that every member and job may see. */
  readByJobs: { unprotected: 'aaaaaaa-aaaaa', protected: 'aa-aaaa-aaaaa' },
  /** Everyday calls of jobs and publishers. */
  publish: { unprotected: 'aaaaaaa-aaa--', protected: 'aa-aaaa-aaa--' },
  /** The same, if it brings back what was stopped. */
  publishDangerous: { unprotected: 'aaaaaaa-aaa--', protected: '---ssss-aaa--' },
  /** Work on models, links and deployments, and what stops them. */
  models: { unprotected: 'aaaaa-a-aaa--', protected: 'aa-aa-a-aaa--' },
  /** The same, and for bearers of a token without credentials. */
  bind: { unprotected: 'aaaaa-a-aaa--', protected: 'aaaaa-a-aaa--' },
  /** Calls that give a server or a signer a right. */
  modelsDangerous: { unprotected: 'aaaaa-a-aaa--', protected: '---ss-s-aaa--' },
  /** Answers to reports. */
  incidents: { unprotected: 'aaaa--a-aa-a-', protected: 'aa-a--a-aa-a-' },
  /** The account, as far as it is not dangerous, and what stops something. */
  account: { unprotected: 'aaaa--a-aa---', protected: 'aa-a--a-aa---' },
  /** Proofs of a mailbox: also without credentials. */
  mailbox: { unprotected: 'aaaa--a-aa---', protected: 'aaaa--a-aa---' },
  /** Identity, members, publishers and restored rights. */
  accountDangerous: { unprotected: 'aaaa--a-aa---', protected: '---s--s-aa---' },
  /** Registering: without credentials it makes a provider of its own. */
  register: { unprotected: 'aaaa--a-aa---', protected: '--aa--a-aa---' },
  /** A new key, with no more rights than its maker has. */
  keys: { unprotected: 'aaaa--a-aaa--', protected: '---s--s-aaa--' },
  /** Pausing and deleting. */
  owners: { unprotected: 'aaaa--a-a----', protected: '---s--s-a----' },
  /** Cancelling a recovery, from any session of the person. */
  ownStop: { unprotected: 'aaa---a-aaaaa', protected: 'aa----a-aaaaa' },
  /** Cancelling what takes effect later. */
  ownersStop: { unprotected: 'aaaa--a-a----', protected: 'aa-a--a-a----' },
  /** A person's own sessions; and rejecting a new key, which every role may ask for. */
  ownSession: { unprotected: 'aaaa--a-aaaaa', protected: 'aa-a--a-aaaaa' },
  /** A person's passkeys, listed, proven and stopped by their sessions; a code from an email. */
  factor: { unprotected: 'aaa-----aaaaa', protected: 'aa------aaaaa' },
  /** A code from an email, typed in a session. */
  mailedCode: { unprotected: 'aaa---a-aaaaa', protected: 'aa----a-aaaaa' },
  /** Recovery codes: only with presence, which an unprotected account does not have. */
  codes: { unprotected: '-------------', protected: '--------aaaaa' },
  /** A person's own account. */
  person: { unprotected: 'aaa-----aaaaa', protected: '--------aaaaa' },
  /** An approval, by someone who may make the change. */
  approve: { unprotected: 'aaa-----aaa--', protected: '--------aaa--' },
  /** A linked identity. */
  unlink: { unprotected: 'aaaa----aaaaa', protected: '--------aaaaa' },
} satisfies Record<string, Cells>

/** Every endpoint of the contract, with the body that `tour.ts` sends. */
const matrix: Record<EndpointName, keyof typeof kinds> = {
  'verifications.create': 'models',
  'verifications.get': 'anyone',
  'verifications.opened': 'anyoneValid',
  'verifications.inspect': 'anyone',
  'verifications.bind': 'bind',
  'signing.jwks': 'anyone',
  'search.find': 'anyone',
  'providers.register': 'register',
  'providers.me': 'readByJobs',
  'providers.verifyDomain': 'account',
  'providers.update': 'account',
  'providers.setProfile': 'account',
  'providers.setCompliance': 'account',
  'providers.setVisibility': 'account',
  'providers.uploadLogo': 'account',
  'providers.deleteLogo': 'account',
  'providers.deactivate': 'owners',
  'providers.reactivate': 'owners',
  'providers.delete': 'owners',
  'providers.list': 'anyone',
  'providers.get': 'anyone',
  'providers.getPrivate': 'read',
  'providers.models': 'readByJobs',
  'domains.list': 'read',
  'domains.add': 'accountDangerous',
  'domains.verify': 'account',
  'domains.remove': 'accountDangerous',
  'domains.makePrimary': 'accountDangerous',
  'models.register': 'publish',
  'models.list': 'anyone',
  'models.get': 'anyone',
  'models.archive': 'models',
  'models.putArchive': 'models',
  'models.unarchive': 'modelsDangerous',
  'models.quickEdit': 'models',
  'models.history': 'read',
  'models.setVisibility': 'models',
  'models.latest': 'anyone',
  'models.files': 'anyone',
  'models.health': 'anyone',
  'models.setHealth': 'models',
  'models.communityStats': 'anyone',
  'models.syncHuggingface': 'models',
  'models.allowDeployment': 'modelsDangerous',
  'models.deployments': 'read',
  'models.countDeployments': 'anyone',
  'models.revokeDeployment': 'models',
  'bundles.verify': 'publish',
  'bundles.upload': 'publish',
  'bundles.status': 'anyone',
  'signers.list': 'read',
  'signers.declare': 'modelsDangerous',
  'signers.challenge': 'models',
  'signers.prove': 'modelsDangerous',
  'signers.withdraw': 'models',
  'deployments.register': 'models',
  'deployments.list': 'read',
  'deployments.setStatus': 'models',
  'deployments.delete': 'models',
  'incidents.report': 'anyone',
  'incidents.list': 'read',
  'incidents.get': 'read',
  'incidents.respond': 'incidents',
  'keys.list': 'read',
  'keys.create': 'keys',
  'keys.revoke': 'account',
  'keys.compromise': 'account',
  'keys.reviews': 'read',
  'keys.review': 'accountDangerous',
  'publishers.list': 'read',
  'publishers.add': 'accountDangerous',
  'publishers.remove': 'account',
  'publishers.exchange': 'anyone',
  'workloads.list': 'read',
  'workloads.trust': 'accountDangerous',
  'workloads.remove': 'account',
  'workloads.exchange': 'anyone',
  'members.list': 'read',
  'members.invite': 'accountDangerous',
  'members.withdraw': 'account',
  'members.setRole': 'accountDangerous',
  'members.remove': 'accountDangerous',
  'members.preview': 'anyone',
  'members.accept': 'anyoneValid',
  'members.providers': 'read',
  'members.use': 'ownSession',
  'factors.list': 'factor',
  'factors.sendCode': 'factor',
  'factors.begin': 'person',
  'factors.add': 'factor',
  'factors.rename': 'person',
  'factors.remove': 'factor',
  'factors.renewCodes': 'codes',
  'factors.beginProof': 'factor',
  'factors.prove': 'factor',
  'factors.beginSignIn': 'anyone',
  'factors.signIn': 'anyone',
  'devices.begin': 'anyone',
  'devices.token': 'anyone',
  'devices.find': 'factor',
  'devices.approve': 'person',
  'devices.deny': 'factor',
  'factors.beginRecovery': 'anyoneValid',
  'factors.recover': 'anyone',
  'factors.cancelRecovery': 'ownStop',
  'changes.list': 'read',
  'changes.get': 'read',
  'changes.approve': 'approve',
  'changes.reject': 'ownSession',
  'changes.cancel': 'ownersStop',
  'changes.undo': 'anyone',
  'account.attention': 'read',
  'account.usage': 'read',
  'account.verifications': 'read',
  'account.verificationsByDay': 'read',
  'account.events': 'read',
  'account.notifications': 'read',
  'account.setNotifications': 'account',
  'account.deleteMe': 'person',
  'auth.checkDomain': 'anyone',
  'auth.sendVerification': 'mailbox',
  'auth.verifyEmail': 'mailbox',
  'auth.register': 'anyone',
  'auth.login': 'anyone',
  'auth.verify': 'mailbox',
  'auth.setPassword': 'anyone',
  'auth.passwordAccount': 'anyone',
  'auth.forgotPassword': 'anyone',
  'auth.changePassword': 'person',
  'auth.signOut': 'read',
  'auth.sessions': 'read',
  'auth.revokeSession': 'ownSession',
  'auth.exchange': 'anyone',
  'auth.identities': 'read',
  'auth.startLink': 'person',
  'auth.unlink': 'unlink',
  'activity.list': 'account',
  'activity.undo': 'accountDangerous',
  'log.proofs': 'anyone',
  'log.entries': 'read',
  'log.near': 'read',
  'log.dispute': 'incidents',
  'account.changeEmail': 'person',
  'account.confirmEmail': 'mailedCode',
  'account.restoreEmail': 'anyone',
}

interface Variant extends Pick<Target, 'body'> {
  of: EndpointName
  kind: keyof typeof kinds
}

/** The same endpoints with bodies that change the answer. */
export const variants: Record<string, Variant> = {
  'a new name': { of: 'providers.update', body: { company_name: 'Thief Labs' }, kind: 'accountDangerous' },
  'a new website': { of: 'providers.setProfile', body: { website: 'https://thief.example' }, kind: 'accountDangerous' },
  'another support address': {
    of: 'providers.update',
    body: { support_email: 'help@thief.example' },
    kind: 'accountDangerous',
  },
  'no more alerts': {
    of: 'account.setNotifications',
    body: { security_alerts: false },
    kind: 'accountDangerous',
  },
  'a new version with the servers of an archived one': {
    of: 'models.register',
    body: {
      display_name: 'New model',
      api_model_identifier: 'canary-withdrawn',
      version: '2',
      description: 'A model that is new here.',
      endpoint: 'https://api.acme.example',
      force_new_version: true,
      copy_authorizations: true,
    },
    kind: 'publishDangerous',
  },
  'a disabled deployment, enabled': {
    of: 'deployments.setStatus',
    body: { status: 'enabled' },
    kind: 'modelsDangerous',
  },
  'a change of a leaked key, withdrawn': { of: 'keys.review', body: { decision: 'withdrawn' }, kind: 'account' },
}

export const cellsOf = (kind: keyof typeof kinds): Cells => kinds[kind]
export const kindOf = (name: EndpointName) => matrix[name]
