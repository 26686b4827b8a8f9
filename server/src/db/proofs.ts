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

type Mirrored = Record<'domain_verified_at' | 'domain_stale_since' | 'domain_checked_at', number | null>

/** A provider's row with the proof of its primary domain as it is worth now: a stale one is none. */
export const withProofAt = <Row extends Mirrored>(row: Row, at: number): Row => {
  if (row.domain_verified_at === null && row.domain_stale_since === null) return row
  const { domain_verified_at, domain_stale_since, domain_checked_at } = row
  const proof = proofAt({ verified_at: domain_verified_at, stale_since: domain_stale_since, checked_at: domain_checked_at }, at)
  return { ...row, domain_verified_at: proof.stale_since === null ? proof.verified_at : null, domain_stale_since: proof.stale_since }
}
