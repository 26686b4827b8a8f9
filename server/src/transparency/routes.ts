import type { contract } from '@countersign/sdk/contract'
import type { Handlers } from '../http/endpoint.ts'
import type { Disputes } from './disputes.ts'
import type { NearNames } from './near.ts'
import type { OwnEntries } from './own-entries.ts'
import type { VerdictProofs } from './verdicts.ts'

export const logRoutes = (
  verdicts: VerdictProofs,
  ownEntries: OwnEntries,
  nearNames: NearNames,
  disputes: Disputes,
): Handlers<typeof contract.log> => ({
  proofs: ({ caller, params }) => verdicts.proofs(caller, params.subject),
  entries: ({ caller, query }) => ownEntries.list(caller, query),
  near: ({ caller, query }) => nearNames.list(caller, query),
  dispute: ({ caller, params }) => disputes.dispute(caller, params.index),
})
