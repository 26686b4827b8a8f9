import { deployments } from './deployments.ts'
import type { Endpoint } from './endpoint.ts'
import { models } from './models.ts'
import { providers } from './providers.ts'
import { signing } from './signing.ts'
import { verifications } from './verifications.ts'

/** The whole API: every feature's rows. Hot rows first, because servers match in this order. */
export const contract = { verifications, signing, providers, models, deployments } satisfies Record<string, Record<string, Endpoint>>

export * from './aliases.ts'
export * from './bundles.ts'
export * from './deployments.ts'
export * from './endpoint.ts'
export * from './errors.ts'
export * from './fields.ts'
export * from './limits.ts'
export * from './models.ts'
export * from './providers.ts'
export * from './routes.ts'
export * from './signing.ts'
export * from './text.ts'
export * from './trust.ts'
export * from './verifications.ts'
