import type { Endpoint } from '@countersign/sdk/contract'
import type { Request, Response } from 'express'
import type { RateLimits } from './rate-limits.ts'
import { networkOf } from './rate-rules.ts'
import type { Shedding } from './shedding.ts'

/** Throws where a request is one too many. */
export type Admit = (request: Request, response: Response) => Promise<void>

interface Needs {
  rateLimits: Pick<RateLimits, 'of'>
  /** Nothing where nobody is turned away, however busy it is. */
  shedding: Pick<Shedding, 'of'> | undefined
}

/** For what strangers read outside the contract: it counts as the endpoint that reads the same. */
export const createAdmission = ({ rateLimits, shedding }: Needs) => {
  return (endpoint: Endpoint): Admit => {
    const shed = shedding?.of(endpoint)
    const checkRate = rateLimits.of(endpoint)
    return async (request, response) => {
      shed?.(request, response)
      await checkRate?.({ network: () => networkOf(request.ip ?? ''), caller: undefined, params: {}, body: {} }, response)
    }
  }
}
