const hourMs = 3_600_000
/** A proof that was not looked at for so long counts as stale, */
const overdueAfterMs = 48 * hourMs
/** and one that was stale for so long as lost. */
const staleForMs = 72 * hourMs

type Looked = { verified_at: number | null; stale_since: number | null; checked_at: number | null }

/** A proof that was not looked at in time is stale, and then lost, also while no job runs. */
export const proofAt = ({ verified_at, stale_since, checked_at }: Looked, at: number): Pick<Looked, 'verified_at' | 'stale_since'> => {
  const overdue_since = checked_at === null ? null : checked_at + overdueAfterMs
  const since = stale_since ?? (overdue_since !== null && at > overdue_since ? overdue_since : null)
  return since !== null && at - since >= staleForMs ? { verified_at: null, stale_since: null } : { verified_at, stale_since: since }
}
