import type { contract } from '@countersign/sdk/contract'
import type { Handlers } from '../http/endpoint.ts'
import type { ReviewService } from '../reviews/service.ts'
import type { KeyService } from './service.ts'

export const keyRoutes = (keys: KeyService, reviews: ReviewService): Handlers<typeof contract.keys> => ({
  list: ({ caller }) => keys.list(caller),
  create: ({ caller, body }) => keys.make(caller, body),
  revoke: ({ caller, params }) => keys.revoke(caller, params.id),
  compromise: ({ caller, params, body }) => reviews.compromise(caller, params.id, body.since),
  reviews: ({ caller }) => reviews.list(caller),
  review: ({ caller, params, body, visitor }) =>
    reviews.decide({ caller, visitor: visitor() }, params.id, body.decision),
})
