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

/** What is typed without a scheme is meant as https. */
const hostOf = (website: string): string | undefined => {
  const address = website.trim()
  return (URL.parse(address) ?? URL.parse(`https://${address}`))?.hostname
}

/** Whether the proof of the domain would end: the website leaves the domain that was proven. */
export const endsProof = ({ domain, domain_verified }: Pick<Organization, 'domain' | 'domain_verified'>, website: string): boolean => {
  const host = hostOf(website)
  return domain_verified && domain !== null && host !== undefined && host !== domain && !host.endsWith(`.${domain}`)
}

/** What was typed otherwise: the rest follows what is registered, also where that changes meanwhile. */
export const draftOf = (known: Organization, { company, website }: Typed): Partial<Typed> => ({
  ...(company !== (known.company_name ?? '') && { company }),
  ...(website !== (known.website ?? '') && { website }),
})

/** What differs from what is registered. */
export const changesOf = (known: Organization, { company, website }: Typed): { company_name?: string; website?: string } => ({
  ...(company.trim() !== (known.company_name ?? '') && { company_name: company.trim() }),
  ...(website.trim() !== (known.website ?? '') && { website: website.trim() }),
})
