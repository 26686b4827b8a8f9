import { Refusal } from '@countersign/sdk/contract'

const dayMs = 24 * 3_600_000
/** With the mailbox alone. */
export const waitMs = 7 * dayMs
/** Everyone is emailed again this long before it takes effect. */
export const reminderMs = dayMs
/** The link works for the whole time, to look at the DNS records again. */
export const linkMs = 8 * dayMs

/** Recovery codes that may be tried with one link. */
export const maxTries = 5

/** Where the holder of a domain confirms the recovery of a member, and with what. */
export const recordOf = ({ domain, id }: { domain: string; id: string }) => ({
  record_name: `_countersign-recovery.${domain}`,
  record_value: `countersign-recovery=${id}`,
})

/** Every resolver must have found the record itself, not that of another name. */
export const isPublished = (
  answers: readonly ({ isAlias: boolean; records: string[] } | undefined)[],
  value: string,
): boolean => answers.length > 0 && answers.every((found) => found && !found.isAlias && found.records.includes(value))

export const linkInvalid = () => new Refusal('code_invalid', 'This link is no longer valid. Ask for a new one.')
export const codeInvalid = () =>
  new Refusal(
    'code_invalid',
    'This recovery code is wrong or was used before, or was tried too often. Ask for a new link.',
  )
export const ownersOnly = () =>
  new Refusal('forbidden', 'Only another owner can approve that a member’s passkeys are removed.')
export const personOnly = () => new Refusal('forbidden', 'This requires a session: sign in on the web.')
