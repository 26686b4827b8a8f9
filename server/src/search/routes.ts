import type { contract } from '@countersign/sdk/contract'
import type { Handlers } from '../http/endpoint.ts'
import type { SearchService } from './service.ts'

export const searchRoutes = (search: SearchService): Handlers<typeof contract.search> => ({
  find: ({ query, hasCredentials }) => search.find(query, { hasCredentials: hasCredentials() }),
})
