/** It verifies every address that it writes into a token. In tokens of other issuers, tenants may write any address. */
const issuerOfAddresses = 'https://accounts.google.com'

/** What links show of an identity of a platform: its address if that was trusted and the issuer verifies it, else its subject. */
export const shownSubject = ({ issuer, subject, claims }: Record<'issuer' | 'subject' | 'claims', string>): string => {
  const { email }: { email?: string } = issuer === issuerOfAddresses ? JSON.parse(claims) : {}
  return email ?? subject
}

/** The name of the fact of a deployment that this identity stands for it. */
export const platformFact = (workload_id: string) => `platform ${workload_id}`
