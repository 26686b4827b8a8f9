import { writeFileSync } from 'node:fs'
import { linkCodeVectors } from './make-link-codes.ts'
import { tokenVectors } from './make-tokens.ts'

/** Published with the SDK, so that others can test their verifiers with them. */
export const folder = new URL('../../sdk/src/testing/vectors/', import.meta.url)

/** The vectors, computed: the same every time, so that a test can hold the committed files against them. */
export const files = {
  'link-codes.json': () => `${JSON.stringify(linkCodeVectors(), null, 1)}\n`,
  'tokens.json': () => `${JSON.stringify(tokenVectors(), null, 1)}\n`,
}

if (import.meta.main) {
  for (const [name, make] of Object.entries(files)) writeFileSync(new URL(name, folder), make())
}
