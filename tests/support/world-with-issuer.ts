import { onTestFinished } from 'vitest'
import { startCiIssuer } from './ci-issuer.ts'
import { createWorld } from './world.ts'

/** A registry that knows an issuer of identity tokens on loopback, until the test ends. */
export const createWorldWithIssuer = async (kind: 'github' | 'other') => {
  const ci = await startCiIssuer()
  onTestFinished(ci.close)
  const world = await createWorld({ egressAllow: [ci.hostAndPort], oidcIssuers: [{ kind, issuer: ci.issuer }] })
  return { ci, world }
}
