const isRegistered = (row: { company_name: string | null; email: string | null; website: string | null }) =>
  row.company_name !== null && row.email !== null && row.website !== null

export const verificationLevelOf = (row: {
  company_name: string | null
  email: string | null
  website: string | null
  email_verified_at: number | null
  domain_verified_at: number | null
}) => {
  if (!isRegistered(row)) return 'unregistered' as const
  if (row.domain_verified_at !== null) return 'verified' as const
  return row.email_verified_at !== null ? ('partially_verified' as const) : ('unverified' as const)
}
