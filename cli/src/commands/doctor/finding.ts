import type { ExitCode } from '@countersign/sdk/contract'
import type { CheckName, findingStatuses } from '../../shapes/findings.ts'

type Status = (typeof findingStatuses)[number]

/** The result of a check. `fix` is a command to run; `exit` is the exit code of a failure. */
export interface Look {
  status: Status
  detail: string
  fix: string | null
  exit: ExitCode
}

export interface Finding extends Look {
  check: CheckName
}

export const ok = (detail: string): Look => ({ status: 'ok', detail, fix: null, exit: 0 })
export const warn = (detail: string, fix: string | null): Look => ({ status: 'warn', detail, fix, exit: 0 })
export const fail = (exit: ExitCode, detail: string, fix: string | null): Look => ({
  status: 'fail',
  detail,
  fix,
  exit,
})
export const skipped = (detail: string): Look => ({ status: 'skipped', detail, fix: null, exit: 0 })

const day = 24 * 60 * 60 * 1_000

export const daysUntil = (end: Date, now: Date) => Math.floor((end.getTime() - now.getTime()) / day)

/** The first failure: others may follow from it. */
export const exitOfFindings = (findings: readonly Finding[]): ExitCode =>
  findings.find(({ status }) => status === 'fail')?.exit ?? 0

export const verdictOf = (findings: readonly Finding[]): Exclude<Status, 'skipped'> => {
  const all = new Set(findings.map(({ status }) => status))
  return all.has('fail') ? 'fail' : all.has('warn') ? 'warn' : 'ok'
}

/** What went wrong, in words; the last cause in a chain is the most specific. */
export const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return reasonOf(error.cause)
  return 'code' in error && typeof error.code === 'string' && !error.message.includes(error.code)
    ? `${error.message} (${error.code})`
    : error.message
}
