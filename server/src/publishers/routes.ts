import type { contract } from '@countersign/sdk/contract'
import type { Handlers } from '../http/endpoint.ts'
import type { PublisherService } from './service.ts'

export const publisherRoutes = (publishers: PublisherService): Handlers<typeof contract.publishers> => ({
  list: ({ caller }) => publishers.list(caller),
  add: ({ caller, body }) => publishers.add(caller, body),
  remove: ({ caller, params }) => publishers.remove(caller, params.id),
  exchange: ({ body }) => publishers.exchange(body),
})
