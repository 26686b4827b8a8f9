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

const visible = (text: string) => text.normalize('NFKC').replace(/[\p{C}\s]/gu, '')
