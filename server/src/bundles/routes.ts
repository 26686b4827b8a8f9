import type { contract } from '@countersign/sdk/contract'
import type { Handlers } from '../http/endpoint.ts'
import type { BundleService } from './service.ts'

export const bundleRoutes = (bundles: BundleService): Handlers<typeof contract.bundles> => ({
  verify: ({ caller, params, body }) => bundles.verify(caller, params.id, body.force_refresh ?? false),
  upload: ({ caller, params, body }) => bundles.upload(caller, params.id, body),
  status: ({ caller, params }) => bundles.status(caller, params.id),
})

export const signerRoutes = (bundles: BundleService): Handlers<typeof contract.signers> => ({
  list: ({ caller, query }) => bundles.listSigners(caller, query),
  declare: ({ caller, body }) => bundles.declare(caller, body),
  challenge: ({ caller, params }) => bundles.challenge(caller, params.id),
  prove: ({ caller, params, body }) => bundles.prove(caller, params.id, body),
  withdraw: ({ caller, params }) => bundles.withdraw(caller, params.id),
})
