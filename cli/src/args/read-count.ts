import { usage } from '../failure.ts'

const most = 100_000

/** The value of --limit; `command` is named in the hint. */
export const readCount = (given: string | undefined, command: string, fallback = 100): number => {
  if (given === undefined) return fallback
  const count = Number(given)
  if (Number.isInteger(count) && count >= 1 && count <= most) return count
  throw usage(
    `--limit must be a whole number from 1 to ${most}, not ${JSON.stringify(given)}`,
    `See: countersign help ${command}`,
  )
}
