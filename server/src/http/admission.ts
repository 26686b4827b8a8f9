import type { Endpoint } from '@countersign/sdk/contract'
import type { Request, Response } from 'express'
import { networkOf } from '../networks.ts'
import type { RateLimits } from './rate-limits.ts'
import type { Shedding } from './shedding.ts'

/** Throws if a request must be rejected. */
export type Admit = (request: Request, response: Response) => Promise<void>

interface Deps {
  rateLimits: Pick<RateLimits, 'of'>
  /** Undefined if requests are never rejected, however busy the process is. */
  shedding: Pick<Shedding, 'of'> | undefined
}

/** For public reads outside the contract: each counts as the endpoint that reads the same. */
export const createAdmission = ({ rateLimits, shedding }: Deps) => {
  return (endpoint: Endpoint): Admit => {
    const shed = shedding?.of(endpoint)
    const checkRate = rateLimits.of(endpoint)
    return async (request, response) => {
      shed?.(request, response)
      await checkRate?.(
        { network: () => networkOf(request.ip ?? ''), caller: undefined, params: {}, body: {} },
        response,
      )
    }
  }
}
