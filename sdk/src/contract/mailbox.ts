/**
 * The canonical spelling of an email address: letters and hosts that email programs treat as equal (UAX #15 NFKC, UTS #46) become
 * equal. Used to compare, count and send.
 */
export const mailboxOf = (address: string): string => {
  const plain = visible(visible(address).toLowerCase())
  const at = plain.lastIndexOf('@')
  const host = plain.slice(at + 1)
  return plain.slice(0, at + 1) + (URL.parse(`https://${host}`)?.hostname ?? host)
}

/** Hosts that ignore dots in front of the @. */
const hostsWithoutDots: Readonly<Record<string, string>> = { 'gmail.com': 'gmail.com', 'googlemail.com': 'gmail.com' }

/**
 * Where the emails of an address arrive, as far as its spelling shows: without `+alias`, and without dots at hosts that ignore them. Only
 * for limits, because other hosts may deliver such addresses to different people.
 */
export const inboxOf = (address: string): string => {
  const mailbox = mailboxOf(address)
  const at = mailbox.lastIndexOf('@')
  const host = mailbox.slice(at + 1)
  const name = mailbox.slice(0, Math.max(0, at)).replace(/(?<=.)\+.*$/, '')
  const folded = hostsWithoutDots[host]
  return folded === undefined ? `${name}@${host}` : `${name.replaceAll('.', '')}@${folded}`
}

const visible = (text: string) => text.normalize('NFKC').replace(/[\p{C}\s]/gu, '')
