import { statfs } from 'node:fs/promises'
import type { Database } from '../db/engine.ts'
import type { Standby } from '../db/standby.ts'
import type { State } from '../http/metrics.ts'
import type { JobRunner } from '../jobs/runner.ts'
import type { Services } from './services.ts'

interface StateDeps {
  database: Database
  standby?: Standby | undefined
  dataDir: string
  jobs: Pick<JobRunner, 'countDue'>
  services: Pick<Services, 'mail' | 'transparency' | 'verifications'>
}

/** Reads what the metrics say about queues, the disk and the database. Does not throw. */
export const createReadState = ({
  database,
  standby,
  dataDir,
  jobs,
  services: { mail, transparency, verifications },
}: StateDeps) => {
  const readBacklog = async () => {
    const [jobsDue, { waiting, oldestAgeMs }] = await Promise.all([jobs.countDue(), mail.backlog()])
    return { jobsDue, mails: waiting, oldestMailMs: oldestAgeMs }
  }
  const readFreeBytes = async () => {
    const { bavail, bsize } = await statfs(dataDir)
    return bavail * bsize
  }
  return async (): Promise<State> => {
    const [backlog, freeBytes, logged] = await Promise.all([
      readBacklog().catch(() => null),
      readFreeBytes().catch(() => null),
      transparency.state().catch(() => null),
    ])
    return {
      ...database.usage(),
      standby: standby?.status() ?? null,
      waitingWrites: verifications.waitingWrites(),
      freeBytes,
      backlog,
      transparency: logged,
    }
  }
}
