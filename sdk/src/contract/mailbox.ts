/**
 * One text for each mailbox, however its address is spelled: what mail programs take for the same letter or the same host
 * (UAX #15 NFKC, UTS #46) is the same here. It is what addresses are compared, counted and written to by.
 */
export const mailboxOf = (address: string): string => {
  const plain = visible(visible(address).toLowerCase())
  const at = plain.lastIndexOf('@')
  const host = plain.slice(at + 1)
  return plain.slice(0, at + 1) + (URL.parse(`https://${host}`)?.hostname ?? host)
}

const visible = (text: string) => text.normalize('NFKC').replace(/[\p{C}\s]/gu, '')
