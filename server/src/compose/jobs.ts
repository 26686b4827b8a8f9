import { createCleanup } from '../jobs/cleanup.ts'
import { createEventRetention } from '../jobs/event-retention.ts'
import type { Job, JobRunner } from '../jobs/runner.ts'
import type { Deps } from './deps.ts'
import { outboxOf } from './outbox.ts'
import type { Services } from './services.ts'

const minute = 60_000
const hour = 60 * minute

/** The background jobs and their intervals. */
export const addJobs = (
  jobs: JobRunner,
  services: Services,
  { config, database, now }: Pick<Deps, 'config' | 'database' | 'now'>,
) => {
  const { account, bundles, delays, domains, factors, health, incidents, listings, mail } = services
  const { names, nearNames, notices, people, recovery, weekly } = services
  const cleanup = createCleanup({
    database,
    outbox: outboxOf(config),
    keepLinksDays: config.linkRetentionDays,
    now,
  })
  const sweepEvents = createEventRetention({ database, days: config.eventRetentionDays, now })
  const all: Job[] = [
    { name: 'bundles', everyMs: 2_500, run: bundles.run },
    { name: 'near-names', everyMs: 5_000, run: nearNames.run },
    { name: 'log-notices', everyMs: 5_000, run: notices.sendDue },
    { name: 'mails', everyMs: 5_000, run: mail.sendDue },
    { name: 'health', everyMs: 15_000, run: health.run },
    {
      name: 'delayed-changes',
      everyMs: minute,
      run: (signal) =>
        delays.runDue(signal, {
          'providers.delete': account.finishDelete,
          'domains.makePrimary': domains.finishPrimary,
          'factors.remove': factors.finishRemoval,
          'factors.recover': recovery.finish,
          'members.remove': people.finishRemoval,
          'members.setRole': people.finishRole,
        }),
    },
    { name: 'unproven-invitations', everyMs: minute, run: people.endUnproven },
    { name: 'recovery-reminders', everyMs: hour, run: recovery.remind },
    { name: 'domains', everyMs: 10 * minute, run: domains.recheckDue },
    { name: 'erasure', everyMs: hour, run: account.eraseLinks },
    { name: 'names', everyMs: hour, run: names.run },
    { name: 'weekly-report', everyMs: hour, run: weekly.sendDue },
    { name: 'cleanup', everyMs: 6 * hour, run: cleanup },
    { name: 'event-retention', everyMs: 24 * hour, run: sweepEvents },
    { name: 'incident-digest', everyMs: 24 * hour, run: incidents.sendDigests },
    { name: 'search-index', everyMs: 24 * hour, run: listings.repair },
  ]
  for (const job of all) jobs.add(job)
}
