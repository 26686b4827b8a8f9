import { createClient } from '@countersign/sdk'

export const client = createClient({ baseURL: location.origin, maxRetries: 1 })
