import { usage } from '../failure.ts'

/** A date or time from an option. A day starts at midnight UTC. */
export const readMoment = (flag: string, given: string | undefined): string | undefined => {
  if (given === undefined) return undefined
  const time = /^\d{4}-\d{2}-\d{2}(T[\d:.]+Z)?$/.test(given) ? Date.parse(given) : Number.NaN
  if (Number.isNaN(time))
    throw usage(`${flag} is not a date or time: ${JSON.stringify(given)}`, 'Write 2026-11-20 or 2026-11-20T10:15:00Z')
  return new Date(time).toISOString()
}
