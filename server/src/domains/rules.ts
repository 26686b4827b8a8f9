import { createHmac, randomBytes } from 'node:crypto'
import { type DomainProof, invalidField, type Refusal } from '@countersign/sdk/contract'
import allMailServices from 'email-providers/all.json' with { type: 'json' }
import { parse } from 'tldts'

/** The best known mailbox providers: a website there says nothing about a company. */
const freeMailDomains = new Set(
  'gmail.com googlemail.com outlook.com hotmail.com live.com msn.com yahoo.com ymail.com aol.com icloud.com me.com mac.com proton.me protonmail.com pm.me gmx.com gmx.de gmx.net web.de mail.com mail.ru yandex.com yandex.ru zoho.com fastmail.com hey.com tutanota.com tuta.com qq.com 163.com 126.com naver.com daum.net t-online.de orange.fr free.fr libero.it'.split(
    ' ',
  ),
)

/** Where anybody gets a mailbox: an address there proves nothing. A few more than the list knows, and brands with a domain in each country. */
const mailServices = new Set([
  ...freeMailDomains,
  ...allMailServices,
  'duck.com',
  'posteo.de',
  'posteo.net',
  'mailfence.com',
  'startmail.com',
  'runbox.com',
  'disroot.org',
  'riseup.net',
])
const mailBrands = new Set([
  'aol',
  'gmail',
  'gmx',
  'googlemail',
  'hotmail',
  'icloud',
  'live',
  'mailinator',
  'msn',
  'outlook',
  'proton',
  'protonmail',
  'yahoo',
  'yandex',
  'ymail',
])

const isMailService = (domain: string) => mailServices.has(domain) || mailBrands.has(domain.slice(0, domain.indexOf('.')))

/** Names that RFC 2606 and RFC 6761 keep out of the real DNS; they can be tried on a development registry. */
const reservedTlds = new Set(['example', 'test'])

export const isReservedName = (domain: string) => reservedTlds.has(domain.slice(domain.lastIndexOf('.') + 1))

const registrableOf = (host: string) => parse(host, { allowPrivateDomains: true }).domain

const mailDomainOf = (email: string) => {
  const host = email.slice(email.lastIndexOf('@') + 1)
  // Nothing but a host name: a URL parser would read `bank.example/x.attacker.example` as the bank, a mail server would not.
  return /^[\p{L}\p{M}\p{N}.-]+$/u.test(host) ? (URL.parse(`https://${host}`)?.hostname ?? '') : ''
}

/**
 * The registrable domain of a website, with the private part of the public suffix list, so that nobody can prove a
 * suffix that many share. A refusal says why there is none.
 */
export const domainOfWebsite = (website: string): { domain: string } | { refusal: Refusal } => {
  const refuse = (message: string) => ({ refusal: invalidField('website', message) })
  // The host that a browser would go to: one spelling for each domain, whatever was typed.
  const host = URL.canParse(website) ? new URL(website).hostname : ''
  const { domain, isIp, isIcann, isPrivate, hostname, publicSuffix } = parse(host, { allowPrivateDomains: true })
  if (isIp) return refuse('Website must have a domain name, not an IP address')
  if (!hostname || !publicSuffix) return refuse('Please enter a valid URL')
  if (!isIcann && !isPrivate && !reservedTlds.has(publicSuffix)) return refuse(`There is no public domain under .${publicSuffix}`)
  if (!domain) return refuse(`${publicSuffix} is shared by many; a website needs a domain of its own`)
  if (freeMailDomains.has(domain)) return refuse(`${domain} is a mail service that anyone can use; a website needs a domain of its own`)
  return { domain }
}

export const newDomainNonce = () => randomBytes(24).toString('base64url')

/** The TXT record that proves control. The value is this provider's and this domain's, so it cannot be reused for another. */
export const domainProofOf = ({ id, domain, nonce }: { id: string; domain: string; nonce: string }): DomainProof => {
  const value = createHmac('sha256', nonce).update(`${id} ${domain}`).digest('base64url')
  return {
    domain,
    record_name: `_countersign.${domain}`,
    record_type: 'TXT',
    record_value: `countersign=${value}`,
    file_url: `https://${domain}/.well-known/countersign.json`,
    file_content: { countersign: value },
  }
}

/**
 * Whether a mailbox shows control of a domain: only one at the registrable domain itself. Whoever has `acme.example`
 * may give mailboxes below it to customers.
 */
export const isMailboxAt = (email: string, domain: string) => mailDomainOf(email) === domain && !isMailService(domain)

/** For people who fill in a form: the two domains, and whether showing the mailbox would prove the website's. */
export const compareDomains = ({ email, website }: { email: string; website: string }) => {
  const found = domainOfWebsite(website)
  const website_domain = 'domain' in found ? found.domain : null
  const email_domain = registrableOf(mailDomainOf(email))
  return { match: website_domain !== null && isMailboxAt(email, website_domain), email_domain, website_domain }
}

/** How long a DNS or file proof is believed before it is read again. */
export const recheckAfterMs = 30 * 86_400_000
/** When it could not be read. */
export const retryAfterMs = 86_400_000

/** What the TXT records at the name say about the proof. */
export const judgeTxt = (records: readonly string[], proof: DomainProof): 'verified' | 'record_differs' | 'record_not_found' => {
  if (records.some((record) => record.trim() === proof.record_value)) return 'verified'
  return records.some((record) => record.startsWith('countersign=')) ? 'record_differs' : 'record_not_found'
}

/** What the file under `/.well-known/` says about the proof; nothing: there is none. */
export const judgeFile = (text: string | null, proof: DomainProof): 'verified' | 'file_differs' | 'file_not_found' => {
  if (text === null) return 'file_not_found'
  try {
    const content: unknown = JSON.parse(text)
    const isObject = typeof content === 'object' && content !== null && 'countersign' in content
    return isObject && content.countersign === proof.file_content.countersign ? 'verified' : 'file_differs'
  } catch {
    return 'file_differs'
  }
}
