import { createHash } from 'node:crypto'

/** RFC 7638 §3 for an OKP key: members in lexicographic order. */
export const thumbprintOf = (x: string) =>
  createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url')
