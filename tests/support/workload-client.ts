import { createClient } from '@countersign/sdk'
import { workloadSigner } from '@countersign/sdk/workload'
import type { ProviderActor } from './actors.ts'
import type { World } from './world.ts'

/** The client of a server that the world's platform vouches for under this subject. */
export const workloadClient = (world: World, acme: ProviderActor, subject: string) =>
  createClient({
    baseURL: world.address,
    fetch: workloadSigner({
      registry: world.address,
      providerId: acme.id,
      token: () => world.jobIssuer.vouch(world.publicUrl, { sub: subject }),
      now: world.clock.now,
    }),
  })
