import { hash, randomBytes } from 'node:crypto'

/** A secret for somebody else to keep: 256 random bits. */
export const newSecret = () => randomBytes(32).toString('base64url')

/** What is kept of it. Nobody guesses 256 bits, so that one plain hash is enough. */
export const hashSecret = (secret: string) => hash('sha256', secret, 'hex')
