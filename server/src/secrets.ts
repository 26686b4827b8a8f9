import { hash, randomBytes } from 'node:crypto'

/** A secret for a client to keep: 256 random bits. */
export const newSecret = () => randomBytes(32).toString('base64url')

/** The stored hash of it. 256 bits cannot be guessed, so one plain hash is enough. */
export const hashSecret = (secret: string) => hash('sha256', secret, 'hex')
