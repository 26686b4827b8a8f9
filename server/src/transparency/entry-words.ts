import { certifiedPrefix, type DeclaredSigner, describeSigner } from '@countersign/sdk/contract'
import type { Disclosure, OpenEntry } from '@countersign/sdk/log/entries'
import { quote, quoteExactly } from '@countersign/sdk/words'
import type { MailLine } from '../mail/service.ts'

/** Texts of an entry’s hidden fields, and current names of versions by ID. */
export interface Names {
  /** Null for one that is not shown to this reader. */
  texts: Readonly<Record<string, string | null>>
  ofId: ReadonlyMap<string, string>
}

type Words = {
  readonly [Type in OpenEntry['type']]: (entry: Extract<OpenEntry, { type: Type }>, names: Names) => string
}

const erased = 'a name that was erased'
const notShown = 'a name that is not shown here'

/** Words that people chose cannot continue our sentence. */
const stated = (text: string | null | undefined, write = quote) =>
  text === undefined ? erased : text === null ? notShown : write(text)

/** `“Acme Chat 1.0” (mdl_…)`, or the ID alone. */
const named = (id: string, { ofId }: Names) => (ofId.has(id) ? `${quote(ofId.get(id) ?? '')} (${id})` : id)

const version = (model: string, { texts }: Names) => {
  const { identifier, version: number = '', display_name = '' } = texts
  if (identifier == null) return `${model}, ${stated(identifier)}`
  const names = [
    number === null ? quote(identifier) : `${quote(identifier)} ${quote(number)}`,
    ...(display_name === null ? [] : [quote(display_name)]),
  ]
  return `${names.join(', ')} (${model})`
}

/** The name in the certificate of a declared authority; undefined for another signer. Those of Sigstore have no key in the log. */
export const certifiedName = (entry: OpenEntry, text: string): string | undefined =>
  'spki' in entry && entry.spki !== null && text.startsWith(certifiedPrefix)
    ? text.slice(certifiedPrefix.length)
    : undefined

const ofAuthority = { issuer: null, repository: null, workflow: null }

const signedBy = (entry: Extract<OpenEntry, { type: 'bundle.verified' | 'bundle.third_party' }>, { texts }: Names) => {
  const { identity } = texts
  if (identity == null) return stated(identity)
  const name = certifiedName(entry, identity)
  if (name !== undefined)
    return describeSigner({ ...ofAuthority, identity: name, key_fingerprint: entry.spki }, quoteExactly)
  return identity === `key ${entry.spki}` ? identity : quoteExactly(identity)
}

const withKey = (spki: string | null) => (spki === null ? '' : `, with the key ${spki}`)

/** A declared signer: the identifier that it may sign, or nothing for all, a line break, and the declaration as JSON. */
export const readDeclared = (text: string): { identifier: string; signer: DeclaredSigner } => {
  const [identifier = '', json = ''] = text.split('\n', 2)
  return { identifier, signer: JSON.parse(json) }
}

const declared = (text: string) => {
  const { identifier, signer } = readDeclared(text)
  return describeDeclared(signer, identifier === '' ? '' : ` for ${quote(identifier)}`)
}

/** A company can type any name. */
const describeDeclared = (signer: DeclaredSigner, forModel: string) => {
  switch (signer.kind) {
    case 'identity':
      return `${quoteExactly(signer.identity)} of ${quoteExactly(signer.issuer)}${forModel}, not proven`
    case 'repository':
      return `${quoteExactly(signer.repository)}${signer.workflow === undefined ? '' : `, workflow ${quoteExactly(signer.workflow)},`} of ${quoteExactly(signer.issuer)}${forModel}, not proven`
    case 'key':
      return `with a public key${forModel}`
    case 'certificate':
      return `with a certificate authority${forModel}`
  }
}

const methods: Readonly<Record<string, string>> = { dns: 'a DNS record', file: 'a file on its website' }

const words: Words = {
  'log.opened': ({ imported }) => `The log was opened with ${imported} earlier entries`,
  'log_key.successor': ({ vkey }) => `The log’s next key is ${vkey}`,
  'registry_key.added': ({ kid }) => `The registry signs with the key ${kid}`,
  'registry_key.retired': ({ kid }) => `The registry no longer signs with the key ${kid}`,
  'registry_key.compromised': ({ kid }) => `The registry’s key ${kid} was compromised`,
  'domain.proven': ({ domain, method }, { texts }) =>
    `${texts.company_name === null ? 'The company' : stated(texts.company_name)} proved ${domain} with ${methods[method] ?? method}`,
  'domain.stale': ({ domain }) => `The proof of ${domain} could not be confirmed recently`,
  'domain.lost': ({ domain }) => `The proof of ${domain} ended`,
  'domain.primary': ({ domain }) => `${domain} became the primary domain`,
  'provider.named': (_, { texts }) =>
    `The company ${texts.company_name === null ? 'has' : 'calls itself'} ${stated(texts.company_name)}`,
  'provider.deactivated': () => 'The account was deactivated',
  'provider.reactivated': () => 'The account was reactivated',
  'provider.deleted': () => 'The account was deleted',
  'version.registered': ({ model }, names) => `Registered ${version(model, names)}`,
  'version.edited': ({ model }, names) => `Changed ${version(model, names)}`,
  'version.superseded': ({ model }, names) => `A newer version replaced ${named(model, names)}`,
  'version.archived': ({ model }, names) => `Archived ${named(model, names)}`,
  'version.unarchived': ({ model }, names) => `Restored ${named(model, names)} from the archive`,
  'version.deleted': ({ model }, names) => `Deleted ${named(model, names)}`,
  'signer.declared': ({ signer, spki }, { texts }) =>
    `Declared the signer ${texts.identity == null ? stated(texts.identity) : declared(texts.identity)} (${signer})${withKey(spki)}`,
  'signer.withdrawn': ({ signer }) => `Withdrew the signer ${signer}`,
  'bundle.verified': (entry, names) =>
    `The signature of ${named(entry.model, names)} is valid, by ${signedBy(entry, names)}`,
  'bundle.third_party': (entry, names) =>
    `The signature of ${named(entry.model, names)} is valid, but of a third party: ${signedBy(entry, names)}`,
  'bundle.invalid': ({ model }, names) => `The signature of ${named(model, names)} is invalid`,
  'bundle.ended': ({ model }, names) => `The signature of ${named(model, names)} no longer counts`,
  'deployment.authorized': ({ deployment, model, spki }, names) =>
    `The server ${deployment} may make links for ${named(model, names)}${withKey(spki)}`,
  'deployment.revoked': ({ deployment, model }, names) =>
    `The server ${deployment} may no longer make links for ${named(model, names)}`,
  'deployment.disabled': ({ deployment }) => `Disabled the server ${deployment}`,
  'deployment.enabled': ({ deployment }) => `Enabled the server ${deployment}`,
  'platform.trusted': ({ deployment, issuer, workload }, { texts }) =>
    `Trusted ${issuer} to vouch for the server ${deployment} as ${stated(texts.subject, quoteExactly)}, declared, not proven (${workload})`,
  'platform.ended': ({ deployment, workload }) =>
    `The platform identity ${workload} no longer stands for the server ${deployment}`,
}

/** What an entry says, in one sentence without a full stop. */
export const describeEntry = (entry: OpenEntry, names: Names): string =>
  (words[entry.type] as (entry: OpenEntry, names: Names) => string)(entry, names)

const kinds: Readonly<Record<string, string>> = {
  'domain.proven': 'A domain was proven',
  'domain.stale': 'The proof of a domain could not be confirmed recently',
  'domain.lost': 'The proof of a domain ended',
  'domain.primary': 'A domain became the primary one',
  'signer.declared': 'A signer was declared',
  'signer.withdrawn': 'A signer was withdrawn',
  'deployment.authorized': 'A server may make links for a model',
  'deployment.revoked': 'A server may no longer make links for a model',
  'deployment.disabled': 'A server was disabled',
  'deployment.enabled': 'A server was enabled',
  'platform.trusted': 'A platform may vouch for a server',
  'platform.ended': 'A platform may no longer vouch for a server',
}

/** What an entry of this type means, without names that people chose. */
export const noticeWords = (type: string): string => kinds[type] ?? 'A fact was logged'

/** A name of an entry as a line of an email. Identities stay whole. */
export const nameLine = (type: string, { field, value }: Pick<Disclosure, 'field' | 'value'>): MailLine => {
  if (type === 'platform.trusted' && field === 'subject') return { identity: quoteExactly(value) }
  if (type === 'signer.declared' && field === 'identity') return { identity: declared(value) }
  return { quote: value }
}

/** What an entry says in clear: domains, IDs and key fingerprints. */
export const clearOf = (entry: OpenEntry): string => {
  const { domain, deployment, model, signer, spki, issuer, workload } = entry as Partial<
    Record<'domain' | 'deployment' | 'model' | 'signer' | 'spki' | 'issuer' | 'workload', string | null>
  >
  return [domain, signer, deployment, model, spki, workload, issuer].filter((value) => value != null).join('  ')
}
