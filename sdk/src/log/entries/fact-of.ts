import { isPrivate, type LogEntry } from './entries.ts'

const versionFacts: Readonly<Record<string, string>> = {
  'bundle.verified': 'bundle',
  'bundle.third_party': 'bundle',
  'bundle.invalid': 'bundle',
  'bundle.ended': 'bundle',
  'version.superseded': 'superseded',
  'version.archived': 'archived',
  'version.unarchived': 'archived',
}

/** Which fact of which subject an entry begins or ends. Undefined for private entries, and for those without a fact of their own. */
export const factOf = (entry: LogEntry): { subject: string; fact: string } | undefined => {
  if (isPrivate(entry)) return undefined
  if ('kid' in entry) return { subject: entry.kid, fact: 'key' }
  if ('workload' in entry) return { subject: entry.deployment, fact: `platform ${entry.workload}` }
  if ('deployment' in entry)
    return { subject: entry.deployment, fact: 'model' in entry ? `authorization ${entry.model}` : 'deployment' }
  if ('signer' in entry) return { subject: entry.signer, fact: 'signer' }
  if ('model' in entry) return { subject: entry.model, fact: versionFacts[entry.type] ?? 'version' }
  if (!('provider' in entry)) return undefined
  if (entry.type === 'domain.primary') return { subject: entry.provider, fact: 'primary' }
  if ('domain' in entry) return { subject: entry.provider, fact: `domain ${entry.domain}` }
  return { subject: entry.provider, fact: entry.type === 'provider.named' ? 'name' : 'provider' }
}
