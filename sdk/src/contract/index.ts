import { account } from './account.ts'
import { activity } from './activity.ts'
import { auth } from './auth.ts'
import { bundles, signers } from './bundles.ts'
import { deployments } from './deployments.ts'
import { devices } from './devices.ts'
import { domains } from './domains.ts'
import type { Endpoint } from './endpoint.ts'
import { factors } from './factors.ts'
import { incidents } from './incidents.ts'
import { keys } from './keys.ts'
import { log } from './log.ts'
import { members } from './members.ts'
import { models } from './models.ts'
import { providers } from './providers.ts'
import { publishers } from './publishers.ts'
import { search } from './search.ts'
import { signing } from './signing.ts'
import { staged } from './staged.ts'
import { verifications } from './verifications.ts'
import { workloads } from './workloads.ts'

/** The whole API: every feature's endpoints. The busiest come first, because servers match in this order. */
export const contract = {
  verifications,
  signing,
  search,
  providers,
  domains,
  models,
  bundles,
  signers,
  deployments,
  incidents,
  keys,
  publishers,
  workloads,
  members,
  factors,
  devices,
  changes: staged,
  activity,
  log,
  account,
  auth,
} satisfies Record<string, Record<string, Endpoint>>

export * from './account.ts'
export * from './activity.ts'
export * from './aliases.ts'
export * from './auth.ts'
export * from './bundles.ts'
export * from './deployments.ts'
export * from './devices.ts'
export * from './domains.ts'
export * from './dots.ts'
export * from './edit-tag.ts'
export * from './endpoint.ts'
export * from './errors.ts'
export * from './factors.ts'
export * from './fields.ts'
export * from './file-name.ts'
export * from './hub.ts'
export * from './hub-card.ts'
export * from './ids.ts'
export * from './incidents.ts'
export * from './keys.ts'
export * from './limits.ts'
export * from './log.ts'
export * from './lookalikes.ts'
export * from './mailbox.ts'
export * from './members.ts'
export * from './model-fields.ts'
export * from './model-files.ts'
export * from './models.ts'
export * from './names.ts'
export * from './platforms.ts'
export * from './presence.ts'
export * from './problem.ts'
export * from './provider-fields.ts'
export * from './providers.ts'
export * from './publishers.ts'
export * from './roles.ts'
export * from './routes.ts'
export * from './same-files.ts'
export * from './search.ts'
export * from './shortened.ts'
export * from './signer-ties.ts'
export * from './signing.ts'
export * from './staged.ts'
export * from './text.ts'
export * from './trust.ts'
export * from './verifications.ts'
export * from './workloads.ts'
