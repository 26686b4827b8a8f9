import type { contract } from '@countersign/sdk/contract'
import type { Handlers } from '../http/endpoint.ts'
import type { VerdictProofs } from './verdicts.ts'

export const logRoutes = (verdicts: VerdictProofs): Handlers<typeof contract.log> => ({
  proofs: ({ caller, params }) => verdicts.proofs(caller, params.subject),
})
