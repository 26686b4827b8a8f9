import { nameProblem } from '@countersign/sdk/contract'
import { isAtOrBelow } from '../domains/rules.ts'
import { skeletonOf } from '../providers/rules.ts'

interface ModelNames {
  display_name: string
  model_name: string
  version: string
  family_name: string | null
}

const isFit = (name: string | null) => name === null || nameProblem(name) === undefined

export const isFitProvider = ({ company_name }: { company_name: string | null }): boolean => isFit(company_name)

export const isFitModel = ({ display_name, model_name, version, family_name }: ModelNames): boolean =>
  [display_name, model_name, version, family_name].every(isFit)

/** A cloud label as visitors see it; nothing for a stored one that breaks the rules. */
export const fitLabel = (label: string | null): string | null => (isFit(label) ? label : null)

/** The website as visitors see it: nothing unless it is at or below a domain that its provider has proven. */
export const publicWebsite = (website: string | null, provenDomain: string | null): string | null => {
  if (website === null || provenDomain === null) return null
  const host = URL.parse(website)?.hostname
  return host !== undefined && isAtOrBelow(host, provenDomain) ? website : null
}

/* ---- names that the operator protects ---- */

export interface ProtectedName {
  name: string
  domain: string
}

/** One name a line, a blank, and the domain that it belongs to; `#` begins a remark. Nothing where a line is something else. */
export const readProtectedNames = (text: string): ProtectedName[] | undefined => {
  const lines = text
    .split('\n')
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
    .filter((line) => line !== '')
  const names = lines.map((line) => {
    const [, name, domain] = /^(.+?)\s+((?:[a-z0-9-]+\.)+[a-z0-9-]+)$/i.exec(line) ?? []
    return name !== undefined && domain !== undefined && skeletonOf(name) !== null ? { name, domain: domain.toLowerCase() } : undefined
  })
  return names.every((name) => name !== undefined) ? names : undefined
}

/** Which domains a name belongs to, by what it looks like. */
export const createProtection = (names: readonly ProtectedName[]) => {
  const domainsOf = new Map<string, string[]>()
  for (const { name, domain } of names) {
    const skeleton = skeletonOf(name) ?? ''
    domainsOf.set(skeleton, [...(domainsOf.get(skeleton) ?? []), domain])
  }
  return {
    skeletons: [...domainsOf.keys()],
    /** Whether a name belongs to somebody else than the holder of this domain. */
    isOthers: (skeleton: string | null, domain: string | null): boolean => {
      const domains = skeleton === null ? undefined : domainsOf.get(skeleton)
      return domains !== undefined && (domain === null || !domains.includes(domain))
    },
  }
}

export type Protection = ReturnType<typeof createProtection>

export const noProtection: Protection = createProtection([])
