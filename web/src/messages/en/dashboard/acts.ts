import type { ActorActivity, UndoKind, UndoObstacle } from '@countersign/sdk/contract'
import { formatNumber } from '#messages/site.ts'

/** The section of the settings that undoes what a thief did. */
export const actsSection = {
  label: 'Suspicious activity',
  about:
    'Did someone else have a key or use your account? Here is what keys, browsers, devices and CI jobs did without a passkey. Choose what was not yours, and undo it with one confirmation. End the session or revoke the key first.',
  failed: 'The activity could not be loaded',
  none: 'Nothing was done in this period.',
  period: 'Period',
  periods: { '1': 'Last 24 hours', '7': 'Last 7 days', '30': 'Last 30 days' },
  actors: { key: 'API key', session: 'Session', job: 'CI job' } satisfies Record<ActorActivity['kind'], string>,
  named: (kind: string, name: string) => `${kind} ${name}`,
  thisBrowser: 'This browser',
  links: (count: number, isLowerBound: boolean) => {
    const number = `${isLowerBound ? 'at least ' : ''}${formatNumber(count)}`
    return count === 1 ? 'Minted one link.' : `Minted ${number} links.`
  },
  linksHint: 'To make its links invalid, revoke the key under API keys and choose “Others may have had this key”.',
  openKeys: 'API keys',
  openSessions: 'Sessions',
  all: (actor: string) => `Choose everything that ${actor} did`,
  choose: 'Choose all',
  more: (count: number) => `Show ${formatNumber(count)} more`,
  older: 'The period has older acts, which are not listed. Choose a shorter period.',
  changed: 'What changed',
  undo: (count: number) => (count === 1 ? 'Undo one act' : `Undo ${formatNumber(count)} acts`),
  most: (count: number) => `At most ${formatNumber(count)} at a time.`,
  kinds: {
    archive: 'Undo: archive the version',
    unarchive: 'Undo: restore the version',
    revert: 'Undo: bring back the earlier values',
    reopen: 'Undo: withdraw the answer',
    enable: 'Undo: enable the server',
    disable: 'Undo: disable the server',
    authorize: 'Undo: authorize the server',
    revoke: 'Undo: revoke the authorization',
    delete: 'Undo: delete the server',
  } satisfies Record<UndoKind, string>,
  obstacles: {
    already_undone: 'Undone',
    changed_since: 'Not undone: someone changed it again since.',
    named_by_links: 'Not undone: links name this version. Archive it and register a new one.',
    gone: 'Not undone: it was deleted since.',
    by_hand: 'Cannot be undone here. Do it where the item is listed.',
  } satisfies Record<UndoObstacle, string>,
  dialog: {
    title: (count: number, actor: string) =>
      count === 1 ? `Undo one act of ${actor}?` : `Undo ${formatNumber(count)} acts of ${actor}?`,
    description:
      'Registered versions are archived, edits are reverted, archived versions are restored and answers are withdrawn. What someone has changed since stays.',
    action: 'Undo',
    doing: 'Undoing…',
    done: (undone: number, of: number) =>
      undone === of
        ? `${formatNumber(undone)} undone`
        : `${formatNumber(undone)} of ${formatNumber(of)} undone. The list says why the others stay.`,
  },
}
