import { createHmac, randomBytes } from 'node:crypto'
import { type DomainProof, invalidField, type Refusal } from '@countersign/sdk/contract'
import { parse } from 'tldts'

/** The best known mailbox providers: a website there says nothing about a company. */
const freeMailDomains = new Set(
  'gmail.com googlemail.com outlook.com hotmail.com live.com msn.com yahoo.com ymail.com aol.com icloud.com me.com mac.com proton.me protonmail.com pm.me gmx.com gmx.de gmx.net web.de mail.com mail.ru yandex.com yandex.ru zoho.com fastmail.com hey.com tutanota.com tuta.com qq.com 163.com 126.com naver.com daum.net t-online.de orange.fr free.fr libero.it'.split(
    ' ',
  ),
)

/** Names that RFC 2606 and RFC 6761 keep out of the real DNS; a development registry accepts them. */
const reservedTlds = new Set(['example', 'test'])

export const isReservedName = (domain: string) => reservedTlds.has(domain.slice(domain.lastIndexOf('.') + 1))

const registrableOf = (host: string) => parse(host, { allowPrivateDomains: true }).domain

const mailDomainOf = (email: string) => {
  const host = email.slice(email.lastIndexOf('@') + 1)
  // Only a host name: a URL parser would read `bank.example/x.attacker.example` as the bank, a mail server would not.
  return /^[\p{L}\p{M}\p{N}.-]+$/u.test(host) ? (URL.parse(`https://${host}`)?.hostname ?? '') : ''
}

/**
 * The registrable domain of a website, by the public suffix list with its private part, so that no one can prove a shared suffix. An
 * error says why there is none.
 */
export const domainOfWebsite = (website: string): { domain: string } | { refusal: Refusal } => {
  const refuse = (message: string) => ({ refusal: invalidField('website', message) })
  // The host that a browser would open: one spelling for each domain.
  const host = URL.canParse(website) ? new URL(website).hostname : ''
  const { domain, isIp, isIcann, isPrivate, hostname, publicSuffix } = parse(host, { allowPrivateDomains: true })
  if (isIp) return refuse('Website must have a domain name, not an IP address')
  if (!hostname || !publicSuffix) return refuse('Please enter a valid URL')
  if (!isIcann && !isPrivate && !reservedTlds.has(publicSuffix))
    return refuse(`There is no public domain under .${publicSuffix}`)
  if (!domain) return refuse(`${publicSuffix} is shared by many; use a website with a domain of its own`)
  if (freeMailDomains.has(domain))
    return refuse(`${domain} is a public email service; use a website with a domain of its own`)
  return { domain }
}

export const newDomainNonce = () => randomBytes(24).toString('base64url')

/** The TXT record that proves control. The value is specific to this provider and domain, so it cannot be reused for another. */
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

/** For forms: the two domains, and whether they match. A mailbox proves nothing about the website. */
export const compareDomains = ({ email, website }: { email: string; website: string }) => {
  const found = domainOfWebsite(website)
  const website_domain = 'domain' in found ? found.domain : null
  const email_domain = registrableOf(mailDomainOf(email))
  return { match: website_domain !== null && email_domain === website_domain, email_domain, website_domain }
}

/** Whether a host is a domain or below it. Both as a URL parser writes them. */
export const isAtOrBelow = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`)

/** Hosts of this machine, for trying chats on a development registry. */
export const loopbackHost = /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[::1\])$/

/* ---- when a proof is read again ---- */

const hourMs = 3_600_000

/** When it could not be read. */
export const retryAfterMs = hourMs / 6
/** Time between the two checks in which a provider must hold a domain that another has proven. */
export const contestMs = hourMs
/** A contest that stayed undecided for this long is over. */
export const contestEndsMs = 24 * hourMs

export type DomainStatus = 'proven' | 'stale' | 'unproven'

/** The state of a proof, from its row. A stale proof counts as unproven in every yes-or-no decision. */
export const statusOfProof = ({
  verified_at,
  stale_since,
}: {
  verified_at: number | null
  stale_since: number | null
}): DomainStatus => (verified_at === null ? 'unproven' : stale_since === null ? 'proven' : 'stale')

/** When a proof that cannot be read is checked next: soon, and never after the moment at which it is lost. */
export const nextLookAt = ({ lost_at, at }: { lost_at: number; at: number }): number =>
  Math.min(at + retryAfterMs, lost_at)

/* ---- what was found ---- */

/**
 * One resolver's answer for the TXT records at a name. Records behind an alias count for a policy but prove nothing. Undefined: the
 * resolver did not answer.
 */
export type TxtAnswer = { isAlias: boolean; records: readonly string[] } | undefined

/** Anything that looks like a policy, in any spelling. */
const policyLike = /counter[\W_]*sign[\W_]*polic/i
const exactPolicy = /^countersign-policy=(none|prv_[A-Za-z0-9_-]+)$/

/** Whether the owner of a domain lets this provider claim it. Without a policy record everyone may; an unreadable one excludes all. */
export const isAllowedByPolicy = (records: readonly string[], provider_id: string): boolean => {
  const policies = records
    .filter((record) => policyLike.test(record))
    .map((record) => exactPolicy.exec(record.trim())?.[1] ?? 'none')
  return policies.length === 0 || (policies.includes(provider_id) && !policies.includes('none'))
}

/** Whether a domain of another owner allows the provider to chat there. */
export const isOriginGranted = (records: readonly string[], provider_id: string): boolean =>
  records.some((record) => record.trim() === `countersign-origin=${provider_id}`)

/** Combines the answers of all resolvers. If one did not answer, or only some find the proof, nothing is proven or disproven. */
export const agreeOn = <Verdict extends string>(
  answers: readonly TxtAnswer[],
  evaluate: (answer: NonNullable<TxtAnswer>) => Verdict,
  isGood: (verdict: Verdict) => boolean,
): Verdict | 'dns_unavailable' | 'resolvers_disagree' => {
  const verdicts: Verdict[] = []
  for (const answer of answers) {
    if (!answer) return 'dns_unavailable'
    verdicts.push(evaluate(answer))
  }
  const [first] = verdicts
  if (first === undefined) return 'dns_unavailable'
  return verdicts.every((verdict) => isGood(verdict) === isGood(first)) ? first : 'resolvers_disagree'
}

/** What the TXT records at the name say about the proof. */
export const evaluateTxt = (
  records: readonly string[],
  proof: DomainProof,
): 'verified' | 'record_differs' | 'record_not_found' => {
  if (records.some((record) => record.trim() === proof.record_value)) return 'verified'
  return records.some((record) => record.startsWith('countersign=')) ? 'record_differs' : 'record_not_found'
}

/** What the file under `/.well-known/` says about the proof; undefined if there is none. */
export const evaluateFile = (
  text: string | null,
  proof: DomainProof,
): 'verified' | 'file_differs' | 'file_not_found' => {
  if (text === null) return 'file_not_found'
  try {
    const content: unknown = JSON.parse(text)
    const isObject = typeof content === 'object' && content !== null && 'countersign' in content
    return isObject && content.countersign === proof.file_content.countersign ? 'verified' : 'file_differs'
  } catch {
    return 'file_differs'
  }
}
