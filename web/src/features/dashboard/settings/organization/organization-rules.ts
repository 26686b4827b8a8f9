interface Organization {
  company_name: string | null
  website: string | null
  domain: string | null
  domain_verified: boolean
}
interface Typed {
  company: string
  website: string
}

/** Adds https if no scheme was typed. */
const hostOf = (website: string): string | undefined => {
  const address = website.trim()
  return (URL.parse(address) ?? URL.parse(`https://${address}`))?.hostname
}

/** Whether the new website leaves the proven domain. */
export const endsProof = (
  { domain, domain_verified }: Pick<Organization, 'domain' | 'domain_verified'>,
  website: string,
): boolean => {
  const host = hostOf(website)
  return domain_verified && domain !== null && host !== undefined && host !== domain && !host.endsWith(`.${domain}`)
}

/** Keeps only edited fields in the draft; the others follow the stored values. */
export const draftOf = (known: Organization, { company, website }: Typed): Partial<Typed> => ({
  ...(company !== (known.company_name ?? '') && { company }),
  ...(website !== (known.website ?? '') && { website }),
})

/** The fields that differ from the stored values. */
export const changesOf = (
  known: Organization,
  { company, website }: Typed,
): { company_name?: string; website?: string } => ({
  ...(company.trim() !== (known.company_name ?? '') && { company_name: company.trim() }),
  ...(website.trim() !== (known.website ?? '') && { website: website.trim() }),
})
