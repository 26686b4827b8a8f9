import type { TrailSubject, trail } from '@countersign/sdk/contract'
import { formatNumber } from '#messages/site.ts'

/** An action's name in the filter, and the sentence of a log entry about it. */
interface ActionWords {
  name: string
  tell: (thing: string) => string
}
type Trail = typeof trail

/** The Activity tab: the provider's own audit log. */
export const activityTab = {
  heading: 'Activity',
  about:
    'Every change to your records: what happened, when, and which key or session did it. Entries can’t be changed or removed.',
  loading: 'Loading your activity…',
  failed: 'Your activity could not be loaded',
  found: (count: number, hasMore: boolean) =>
    hasMore
      ? `The newest ${formatNumber(count)} entries`
      : count === 1
        ? 'One entry'
        : `${formatNumber(count)} entries`,
  list: 'Activity',
  columns: { time: 'When (UTC)', what: 'What happened' },
  empty: { heading: 'Nothing happened', hint: 'No activity matches these filters.', none: 'Nothing has happened yet.' },
  firstStep: { heading: 'Nothing has happened yet', text: 'Your actions and those of your keys appear here.' },
  filters: {
    kind: 'About',
    allKinds: 'Everything',
    action: 'Action',
    allActions: 'All actions',
    id: 'ID of an item',
    idHint: 'ID, such as mdl_… or key_…',
    since: 'From',
    until: 'Until',
  },
  by: (what: string, who: string) => `${what} by ${who}`,
  who: {
    key: (name: string) => `API key ${name}`,
    unnamedKey: (id: string) => `API key ${id}`,
    session: (id: string) => `session ${id}`,
    visitor: 'a visitor',
    publisher: (run: string) => `a trusted publisher’s job, ${run}`,
  },
  authorization: (deployment: string, model: string) => `deployment ${deployment} for model ${model}`,
  onlyThis: 'Only this',
  changes: 'What changed',
  details: { title: 'Log entry', subject: 'About', actor: 'Done by', id: 'Entry ID' },
  before: (value: string) => `Before: ${value}`,
  after: (value: string) => `After: ${value}`,
  nothing: 'nothing',

  /** What an entry is about. */
  kinds: {
    provider: 'Your account',
    model: 'Models',
    deployment: 'Deployments',
    authorization: 'Authorizations',
    incident: 'Incidents',
    key: 'API keys',
    person: 'Members',
    invitation: 'Invitations',
    change: 'Staged changes',
    session: 'Sessions',
    signer: 'Signers',
    workload: 'Trusted workloads',
    publisher: 'Trusted publishers',
  } satisfies Record<TrailSubject, string>,
  actions: {
    provider: {
      'provider.registered': { name: 'Provider registered', tell: () => 'The provider was registered' },
      'provider.updated': { name: 'Provider changed', tell: () => 'Provider information was changed' },
      'provider.deactivated': { name: 'Provider deactivated', tell: () => 'The provider was deactivated' },
      'provider.reactivated': { name: 'Provider reactivated', tell: () => 'The provider was reactivated' },
      'provider.suspended': {
        name: 'Suspended after a restore',
        tell: () => 'The registry was restored from a backup; the account must be confirmed',
      },
      'provider.confirmed': { name: 'Account confirmed', tell: () => 'The account was confirmed after a restore' },
      'provider.deleted': { name: 'Account deleted', tell: () => 'The account was deleted' },
      'email.verified': { name: 'Email verified', tell: () => 'The email address was verified' },
      'domain.verified': { name: 'Domain verified', tell: () => 'The domain was verified' },
      'domain.lost': { name: 'Domain proof lost', tell: () => 'The proof of the domain was lost' },
      'domain.reset': {
        name: 'Domain proof ended',
        tell: () => 'The proof of the domain ended when the website changed',
      },
      'domain.displaced': { name: 'Domain proven by another', tell: () => 'The domain was proven by another provider' },
      'domain.stale': { name: 'Domain not checked', tell: () => 'The proof of a domain could not be checked' },
      'domain.contested': { name: 'Domain claimed by another', tell: () => 'Another account claimed a domain' },
      'domain.added': { name: 'Domain added', tell: () => 'A domain was added' },
      'domain.removed': { name: 'Domain removed', tell: () => 'A domain was removed' },
      'domain.blocked': {
        name: 'Domain blocked',
        tell: () => 'The proof of a domain was ended and cannot be renewed yet',
      },
      'domain.allowed': { name: 'Domain allowed', tell: () => 'A blocked domain can be proven again' },
      'domain.primary': { name: 'Primary domain changed', tell: () => 'Another domain was made primary' },
      'password.set': { name: 'Password set', tell: () => 'The password was set' },
      'logo.uploaded': { name: 'Logo uploaded', tell: () => 'The logo was uploaded' },
      'logo.removed': { name: 'Logo removed', tell: () => 'The logo was removed' },
      'identity.linked': { name: 'Account connected', tell: () => 'Another account was connected for signing in' },
      'identity.unlinked': { name: 'Account disconnected', tell: () => 'A connected account was disconnected' },
      'notifications.changed': { name: 'Notifications changed', tell: () => 'Notification settings were changed' },
    },
    model: {
      'model.registered': { name: 'Model registered', tell: (thing: string) => `Model ${thing} was registered` },
      'model.superseded': {
        name: 'Model superseded',
        tell: (thing: string) => `Model ${thing} was superseded by a new version`,
      },
      'model.edited': { name: 'Model edited', tell: (thing: string) => `Model ${thing} was edited` },
      'model.synced': {
        name: 'Model synced from the hub',
        tell: (thing: string) => `Model ${thing} was updated from the model hub`,
      },
      'model.visibility_changed': {
        name: 'Visibility changed',
        tell: (thing: string) => `The visibility of model ${thing} was changed`,
      },
      'model.archived': { name: 'Model archived', tell: (thing: string) => `Model ${thing} was archived` },
      'model.unarchived': { name: 'Model unarchived', tell: (thing: string) => `Model ${thing} was unarchived` },
      'model.first_verified': {
        name: 'First link opened',
        tell: (thing: string) => `A link of model ${thing} was opened for the first time`,
      },
      'model.monitoring_changed': {
        name: 'Monitoring changed',
        tell: (thing: string) => `Health monitoring of model ${thing} was changed`,
      },
      'model.health_changed': {
        name: 'Health changed',
        tell: (thing: string) => `The health of model ${thing} changed`,
      },
      'model.bundle_uploaded': {
        name: 'Bundle uploaded',
        tell: (thing: string) => `A signed bundle of model ${thing} was uploaded`,
      },
      'model.sample_added': {
        name: 'Shown as a sample',
        tell: (thing: string) => `The operator chose model ${thing} for the landing page`,
      },
      'model.sample_removed': {
        name: 'No longer a sample',
        tell: (thing: string) => `The landing page no longer shows model ${thing}`,
      },
      'model.bundle_checked': {
        name: 'Bundle checked',
        tell: (thing: string) => `The signed bundle of model ${thing} was checked`,
      },
      'deployment.authorizations_copied': {
        name: 'Authorizations copied',
        tell: (thing: string) => `Model ${thing} took over the deployments of the previous version`,
      },
    },
    deployment: {
      'deployment.registered': {
        name: 'Deployment registered',
        tell: (thing: string) => `Deployment ${thing} was registered`,
      },
      'deployment.proven': {
        name: 'Deployment proven',
        tell: (thing: string) => `Deployment ${thing} proved its key for the first time`,
      },
      'deployment.proof_displaced': {
        name: 'Proof displaced',
        tell: (thing: string) =>
          `Deployment ${thing} lost its proxy proof: another provider proved the key itself, over mutual TLS or with a signature`,
      },
      'deployment.enabled': { name: 'Deployment enabled', tell: (thing: string) => `Deployment ${thing} was enabled` },
      'deployment.disabled': {
        name: 'Deployment disabled',
        tell: (thing: string) => `Deployment ${thing} was disabled`,
      },
      'deployment.deleted': { name: 'Deployment deleted', tell: (thing: string) => `Deployment ${thing} was deleted` },
    },
    authorization: {
      'deployment.authorized': {
        name: 'Deployment authorized',
        tell: (thing: string) => `Authorization was granted to ${thing}`,
      },
      'deployment.revoked': {
        name: 'Authorization revoked',
        tell: (thing: string) => `Authorization was revoked for ${thing}`,
      },
    },
    incident: {
      'incident.reported': { name: 'Incident reported', tell: (thing: string) => `Incident ${thing} was reported` },
      'incident.investigating': {
        name: 'Investigation started',
        tell: (thing: string) => `Investigation of incident ${thing} started`,
      },
      'incident.resolved': { name: 'Incident resolved', tell: (thing: string) => `Incident ${thing} was resolved` },
      'incident.dismissed': { name: 'Incident dismissed', tell: (thing: string) => `Incident ${thing} was dismissed` },
      'incident.entry_disputed': {
        name: 'Log entry disputed',
        tell: (thing: string) => `An entry of the public log was disputed with report ${thing}`,
      },
      'incident.reopened': {
        name: 'Answer withdrawn',
        tell: (thing: string) => `An answer to incident ${thing} was withdrawn`,
      },
      'incident.withdrawn': {
        name: 'Incident withdrawn',
        tell: (thing: string) => `Incident ${thing} was withdrawn by the operator of the registry`,
      },
      'incident.restored': {
        name: 'Incident restored',
        tell: (thing: string) => `Incident ${thing} was restored by the operator of the registry`,
      },
    },
    key: {
      'key.created': { name: 'API key created', tell: (thing: string) => `API key ${thing} was created` },
      'key.revoked': { name: 'API key revoked', tell: (thing: string) => `API key ${thing} was revoked` },
      'key.compromised': {
        name: 'API key compromised',
        tell: (thing: string) => `API key ${thing} was reported as compromised`,
      },
      'key.reviewed': {
        name: 'Change reviewed',
        tell: (thing: string) => `A change made with API key ${thing} was reviewed`,
      },
      'key.undone': {
        name: 'Acts of a key undone',
        tell: (thing: string) => `What API key ${thing} did was undone`,
      },
    },
    person: {
      'member.joined': { name: 'Member joined', tell: (thing: string) => `${thing} became a member` },
      'member.role_changed': { name: 'Role changed', tell: (thing: string) => `The role of ${thing} was changed` },
      'member.removed': { name: 'Member removed', tell: (thing: string) => `${thing} was removed` },
      'factor.added': {
        name: 'Passkey added',
        tell: (thing: string) => `${thing} added a passkey or an authenticator`,
      },
      'factor.removed': {
        name: 'Passkey removed',
        tell: (thing: string) => `${thing} removed a passkey or an authenticator`,
      },
      'member.email_changed': {
        name: 'Member’s address changed',
        tell: (thing: string) => `The address of ${thing} was changed`,
      },
      'member.left': { name: 'Member left', tell: (thing: string) => `${thing} left` },
    },
    invitation: {
      'member.invited': { name: 'Member invited', tell: (thing: string) => `Invitation ${thing} was sent` },
      'invitation.withdrawn': {
        name: 'Invitation withdrawn',
        tell: (thing: string) => `Invitation ${thing} was withdrawn`,
      },
    },
    change: {
      'change.staged': { name: 'Change staged', tell: (thing: string) => `Change ${thing} waits for approval` },
      'change.approved': { name: 'Change approved', tell: (thing: string) => `Change ${thing} was approved` },
      'change.rejected': { name: 'Change rejected', tell: (thing: string) => `Change ${thing} was rejected` },
      'change.delayed': { name: 'Change delayed', tell: (thing: string) => `Change ${thing} takes effect later` },
      'change.cancelled': { name: 'Change cancelled', tell: (thing: string) => `Change ${thing} was cancelled` },
    },
    session: {
      'session.began': { name: 'Signed in', tell: (thing: string) => `Session ${thing} started` },
      'session.ended': { name: 'Session ended', tell: (thing: string) => `Session ${thing} was ended` },
      'session.undone': {
        name: 'Acts of a session undone',
        tell: (thing: string) => `What session ${thing} did was undone`,
      },
    },
    signer: {
      'signer.declared': { name: 'Signer declared', tell: (thing: string) => `Signer ${thing} was declared` },
      'signer.proven': { name: 'Signer proven', tell: (thing: string) => `Signer ${thing} was proven to be yours` },
      'signer.withdrawn': { name: 'Signer withdrawn', tell: (thing: string) => `Signer ${thing} was withdrawn` },
    },
    workload: {
      'workload.trusted': { name: 'Workload trusted', tell: (thing: string) => `Workload ${thing} was trusted` },
      'workload.used': { name: 'Workload signed in', tell: (thing: string) => `Workload ${thing} received a key` },
      'workload.removed': { name: 'Workload removed', tell: (thing: string) => `Workload ${thing} was removed` },
      'workload.issuer_refused': {
        name: 'Issuer no longer accepted',
        tell: (thing: string) => `The registry no longer accepts the issuer of workload ${thing}`,
      },
      'workload.issuer_accepted': {
        name: 'Issuer accepted again',
        tell: (thing: string) => `The registry accepts the issuer of workload ${thing} again`,
      },
    },
    publisher: {
      'publisher.added': { name: 'Publisher added', tell: (thing: string) => `Trusted publisher ${thing} was added` },
      'publisher.removed': {
        name: 'Publisher removed',
        tell: (thing: string) => `Trusted publisher ${thing} was removed`,
      },
      'publisher.issuer_refused': {
        name: 'Issuer no longer accepted',
        tell: (thing: string) => `The registry no longer accepts the issuer of trusted publisher ${thing}`,
      },
      'publisher.issuer_accepted': {
        name: 'Issuer accepted again',
        tell: (thing: string) => `The registry accepts the issuer of trusted publisher ${thing} again`,
      },
      'publisher.undone': {
        name: 'Acts of a job undone',
        tell: (thing: string) => `What a job of trusted publisher ${thing} did was undone`,
      },
      'publisher.used': {
        name: 'Publisher signed in',
        tell: (thing: string) => `A job of trusted publisher ${thing} received a token`,
      },
      'publisher.refused': {
        name: 'Publisher refused',
        tell: (thing: string) => `A job naming trusted publisher ${thing} was refused`,
      },
    },
  } satisfies { [Subject in TrailSubject]: Record<Trail[Subject][number], ActionWords> },
} as const
