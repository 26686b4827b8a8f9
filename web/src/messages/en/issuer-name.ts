import { quoteExactly } from '@countersign/sdk/words'

/** The address of an issuer without loss, because issuers are compared as text: quoted unless it is plain. */
export const issuerName = (issuer: string) => (/^https:\/\/[\w.:/~-]+$/.test(issuer) ? issuer : quoteExactly(issuer))
