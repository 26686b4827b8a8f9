import type { contract } from '@countersign/sdk/contract'
import type { Handlers } from '../http/mount.ts'
import type { SearchService } from './service.ts'

export const searchRoutes = (search: SearchService): Handlers<typeof contract.search> => ({
  find: ({ query }) => search.find(query),
})
