import type { Dialect } from '../dialect.ts'
import type { Tx } from '../schema.ts'
import * as firstLink from './0001-first-link.ts'
import * as accounts from './0002-accounts.ts'
import * as search from './0003-search.ts'
import * as integrity from './0004-integrity.ts'
import * as ownLists from './0005-own-lists.ts'
import * as lastUse from './0006-last-use.ts'
import * as openings from './0007-openings.ts'
import * as publishers from './0008-publishers.ts'
import * as openingsByDay from './0009-openings-by-day.ts'
import * as domains from './0010-domains.ts'
import * as frozenLinks from './0011-frozen-links.ts'
import * as names from './0012-names.ts'
import * as ownSigners from './0013-own-signers.ts'
import * as blockedDomains from './0014-blocked-domains.ts'
import * as namesHeld from './0015-names-held.ts'
import * as linkUsage from './0016-link-usage.ts'
import * as suspended from './0017-suspended.ts'
import * as mailboxes from './0018-mailboxes.ts'
import * as keptRows from './0019-kept-rows.ts'
import * as modelDigests from './0020-model-digests.ts'
import * as mailboxSigners from './0021-mailbox-signers.ts'
import * as people from './0022-people.ts'
import * as eventPeople from './0023-event-people.ts'
import * as factors from './0024-factors.ts'
import * as log from './0025-log.ts'
import * as changes from './0026-changes.ts'
import * as workloads from './0027-workloads.ts'
import * as issuers from './0028-issuers.ts'
import * as devices from './0029-devices.ts'
import * as logDisputes from './0030-log-disputes.ts'
import * as logNotices from './0031-log-notices.ts'
import * as logFeeds from './0032-log-feeds.ts'
import * as logNear from './0033-log-near.ts'
import * as nonces from './0034-nonces.ts'
import * as endedPermissions from './0035-ended-permissions.ts'
import * as namesAgain from './0036-names-again.ts'
import * as provenInvitations from './0037-proven-invitations.ts'
import * as namesInOrder from './0038-names-in-order.ts'
import * as logPlaces from './0039-log-places.ts'
import * as keysOfBindings from './0040-keys-of-bindings.ts'
import * as digestTimes from './0042-digest-times.ts'
import * as domainSince from './0043-domain-since.ts'
import * as logDomains from './0049-log-domains.ts'
import * as publisherIssuers from './0052-publisher-issuers.ts'
import * as platformProofs from './0053-platform-proofs.ts'

export interface Migration {
  name: string
  up: (tx: Tx, dialect: Dialect) => Promise<void>
}

/** Forward only, in this order; a released migration is never edited. */
export const migrations: readonly Migration[] = [
  { name: '0001-first-link', up: firstLink.up },
  { name: '0002-accounts', up: accounts.up },
  { name: '0003-search', up: search.up },
  { name: '0004-integrity', up: integrity.up },
  { name: '0005-own-lists', up: ownLists.up },
  { name: '0006-last-use', up: lastUse.up },
  { name: '0007-openings', up: openings.up },
  { name: '0008-publishers', up: publishers.up },
  { name: '0009-openings-by-day', up: openingsByDay.up },
  { name: '0010-domains', up: domains.up },
  { name: '0011-frozen-links', up: frozenLinks.up },
  { name: '0012-names', up: names.up },
  { name: '0013-own-signers', up: ownSigners.up },
  { name: '0014-blocked-domains', up: blockedDomains.up },
  { name: '0015-names-held', up: namesHeld.up },
  { name: '0016-link-usage', up: linkUsage.up },
  { name: '0017-suspended', up: suspended.up },
  { name: '0018-mailboxes', up: mailboxes.up },
  { name: '0019-kept-rows', up: keptRows.up },
  { name: '0020-model-digests', up: modelDigests.up },
  { name: '0021-mailbox-signers', up: mailboxSigners.up },
  { name: '0022-people', up: people.up },
  { name: '0023-event-people', up: eventPeople.up },
  { name: '0024-factors', up: factors.up },
  { name: '0025-log', up: log.up },
  { name: '0026-changes', up: changes.up },
  { name: '0027-workloads', up: workloads.up },
  { name: '0028-issuers', up: issuers.up },
  { name: '0029-devices', up: devices.up },
  { name: '0030-log-disputes', up: logDisputes.up },
  { name: '0031-log-notices', up: logNotices.up },
  { name: '0032-log-feeds', up: logFeeds.up },
  { name: '0033-log-near', up: logNear.up },
  { name: '0034-nonces', up: nonces.up },
  { name: '0035-ended-permissions', up: endedPermissions.up },
  { name: '0036-names-again', up: namesAgain.up },
  { name: '0037-proven-invitations', up: provenInvitations.up },
  { name: '0038-names-in-order', up: namesInOrder.up },
  { name: '0039-log-places', up: logPlaces.up },
  { name: '0040-keys-of-bindings', up: keysOfBindings.up },
  // More words and signs are reserved.
  { name: '0041-names-again', up: namesAgain.up },
  { name: '0042-digest-times', up: digestTimes.up },
  { name: '0043-domain-since', up: domainSince.up },
  // Domains that look like ASCII ones are rejected.
  { name: '0044-names-again', up: namesAgain.up },
  // A provider has no claim to a name that belongs to another domain.
  { name: '0045-names-again', up: namesAgain.up },
  // More letters look like Latin ones, and phonetic and medieval ones are rejected.
  { name: '0046-names-again', up: namesAgain.up },
  // A domain of another before the own one is found as well, and names are judged together with the version after them.
  { name: '0047-names-again', up: namesAgain.up },
  // Fewer hosts count as part of a model's name.
  { name: '0048-names-again', up: namesAgain.up },
  { name: '0049-log-domains', up: logDomains.up },
  // Only numbers before an ending count as a version, names are also judged as quoted, `dot` reads as a dot, and more words are reserved.
  { name: '0050-names-again', up: namesAgain.up },
  // Letters that look like quotation marks, numbers like `#3` and more words for a dot are rejected.
  { name: '0051-names-again', up: namesAgain.up },
  { name: '0052-publisher-issuers', up: publisherIssuers.up },
  { name: '0053-platform-proofs', up: platformProofs.up },
  // Reserved words are found inside longer ones, and with digits in place of letters.
  { name: '0054-names-again', up: namesAgain.up },
  // `cl` looks like `d`, and more words are reserved.
  { name: '0055-names-again', up: namesAgain.up },
  // More legal forms are left out of comparisons, and `!` and `+` are letters only before small letters.
  { name: '0056-names-again', up: namesAgain.up },
  // Endings of domains in capitals, such as `.AIResearch` and `.C0M5`, are found before another word.
  { name: '0057-names-again', up: namesAgain.up },
]
