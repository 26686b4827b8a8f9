import { z } from 'zod'

/** What the registry says about its log at `/.well-known/countersign-log`. */
export const DescribedLog = z.object({
  origin: z.string(),
  vkeys: z.array(z.string()).min(1),
  /** A proof of the entry of each successor of the log's key. */
  successors: z.array(z.string()).default([]),
})
export type DescribedLog = z.infer<typeof DescribedLog>
