import type { Check, CheckName } from '@countersign/sdk/contract'

export interface CheckRow {
  about: CheckName | 'link'
  passed: boolean | null
  detail: string
  checkedAt: string | null
}

const linkChecks: ReadonlySet<CheckName> = new Set(['format', 'signature', 'issuer', 'key', 'time'])

const rank = ({ passed }: Check) => (passed === false ? 0 : passed === true ? 1 : 2)

/**
 * One row for each check, failed first and open ones last. The checks of the link itself are one row while all of them
 * passed, because to a person they say one thing.
 */
export const rowsOf = (given: readonly Check[]): CheckRow[] => {
  const checks = given.toSorted((a, b) => rank(a) - rank(b))
  const aboutLink = checks.filter(({ check }) => linkChecks.has(check))
  const areOne = aboutLink.length > 1 && aboutLink.every(({ passed }) => passed === true)
  const rows = (areOne ? checks.filter(({ check }) => !linkChecks.has(check)) : checks).map(
    ({ check, passed, detail, checked_at }): CheckRow => ({ about: check, passed, detail, checkedAt: checked_at }),
  )
  if (!areOne) return rows
  const link: CheckRow = {
    about: 'link',
    passed: true,
    detail: aboutLink.map(({ detail }) => detail).join(' '),
    checkedAt: aboutLink[0]?.checked_at ?? null,
  }
  const afterFailed = rows.filter(({ passed }) => passed === false).length
  return rows.toSpliced(afterFailed, 0, link)
}

/** How many rows passed, failed and stayed open. */
export const countRows = (rows: readonly CheckRow[]) => ({
  failed: rows.filter(({ passed }) => passed === false).length,
  passed: rows.filter(({ passed }) => passed === true).length,
  open: rows.filter(({ passed }) => passed === null).length,
})
