import type { Database } from '../db/engine.ts'
import type { MailService } from '../mail/service.ts'
import { weekLines, weekMs } from './rules.ts'
import { beginWeek, listDueReports, readWeek } from './store.ts'

interface Deps {
  database: Database
  mail: Pick<MailService, 'queue'>
  publicUrl: string
  now: () => number
}

const batchSize = 50

/** Weekly numbers by email, for providers who want them. The first week begins when they opt in. */
export const createWeeklyService = ({ database, mail, publicUrl, now }: Deps) => ({
  async sendDue(signal: AbortSignal): Promise<void> {
    const at = now()
    for (let after = ''; !signal.aborted; ) {
      const due = await listDueReports(database.read, { before: at - weekMs, after, limit: batchSize })
      for (const { id, weekly_report_at } of due) {
        if (signal.aborted) return
        const week =
          weekly_report_at === null ? undefined : await readWeek(database.read, { provider_id: id, since: at - weekMs })
        await database.transaction(async (tx) => {
          const begun = await beginWeek(tx, { id, weekly_report_at, at })
          if (!week || !begun?.email) return
          await mail.queue(tx, {
            to: begun.email,
            subject: 'Your week at the registry',
            lines: [
              ...weekLines(week),
              { link: `${publicUrl}/dashboard`, label: 'Open your dashboard' },
              'You can turn these emails off in your settings, under notifications.',
            ],
          })
        })
      }
      const last = due.at(-1)
      if (last === undefined) return
      after = last.id
    }
  },
})
