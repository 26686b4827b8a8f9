import {
  type BundleDetails,
  type BundleRecord,
  type BundleSigner,
  describeSigner,
  type Model,
  mailDomainOfSigner,
  statementTypePrefix,
} from '@countersign/sdk/contract'
import { quoteExactly } from '@countersign/sdk/words'
import {
  fitIssuer,
  isFitFileName,
  isFitIdentity,
  isFitQuotation,
  knownEndings,
  lastEndings,
  withPlainEndings,
} from './rules.ts'

type Own = readonly (string | null)[]

const fitIssuerOf = (issuer: string, own: Own) => (URL.canParse(issuer) ? fitIssuer(issuer, ...own) : null)

/** Customers choose the host of a mailbox at these platforms. */
const customerHost = /(?:^|\.)(?:gserviceaccount|onmicrosoft)\.com$/
const soldEndings = ['biz', 'chat', 'cloud', 'info', 'support', 'tech', 'xyz']
const mailboxEndings = [...knownEndings, ...lastEndings, ...soldEndings]
/** `cn`, `co.uk`, but no word within a name, as in `rosa.di.bella`. */
const country = '\\p{L}{2}(?:\\.\\p{L}{2})?(?!\\.?[\\p{L}\\p{N}])'
/** People have names like `wei.wang`, an ending of domains as well, or `ana.de.luca`. */
const otherDots = new RegExp(`\\.(?!(?!de\\.)(?:${mailboxEndings.join('|')})(?![\\p{L}\\p{N}])|${country})`, 'giu')

/** The `com` in `openai.comGPT`, `openai.COMgpt` and `openai.com5`. */
const wordInWord = /(?<=\.)(?:\p{Lu}?\p{Ll}+(?=[\p{Lu}\p{Lo}\p{N}])|\p{Lu}+(?=[\p{Ll}\p{Lo}\p{N}]))/gu
/** People are called `deLuca`. */
const readWithin = new Set(mailboxEndings.filter((ending) => ending !== 'de'))

/** With the endings of domains that people read in `openai.c0m` and `openai.comGPT`. */
const asRead = (mailbox: string): string =>
  withPlainEndings(mailbox.normalize('NFKC')).replace(wordInWord, (word) =>
    readWithin.has(word.toLowerCase()) ? `${word} ` : word,
  )

/** What of an identity a customer or person chose freely. Sigstore proved the mailbox, so its host is known. */
const chosenIn = (signer: BundleSigner): (string | null)[] => {
  const { identity } = signer
  const host = mailDomainOfSigner(signer)
  if (identity === null || host === undefined || customerHost.test(host)) return [identity]
  const mailbox = identity.slice(0, identity.indexOf('@'))
  return [mailbox, asRead(mailbox)].map((each) => each.replace(otherDots, ' '))
}

/**
 * Whether visitors may read who signed. Mailboxes were proven to Sigstore. Names of jobs and service accounts contain those of repositories,
 * branches and clusters, which customers choose. A declared authority writes any name into its certificates.
 */
const hasFitNames = (signer: BundleSigner, own: Own): boolean => {
  const { identity, repository, workflow, key_fingerprint } = signer
  if (key_fingerprint !== null) return isFitQuotation(identity ?? '', own)
  const names = [...chosenIn(signer), repository, workflow]
  return names.every((name) => name === null || isFitIdentity(name, own))
}

/** The signer as visitors see it: with an empty identity if its names contain another's domain or words of judgement. */
export const fitSigner = (signer: BundleSigner, own: Own): BundleSigner => {
  const issuer = signer.issuer && fitIssuerOf(signer.issuer, own)
  if (!hasFitNames(signer, own)) return { ...signer, issuer, identity: '', repository: null, workflow: null }
  return issuer === signer.issuer ? signer : { ...signer, issuer }
}

/** A signer that Sigstore certified, in the words of the log, as visitors see it; null if they may not read who it is. */
export const fitLogged = (described: string, own: Own): string | null => {
  const [, repository = null, identity = null, issuer = null] =
    /^(?:a job of (\S+): )?(.+?)(?: \(([^\s()]+)\))?$/s.exec(described) ?? []
  const signer = fitSigner({ identity, issuer, repository, workflow: null, key_fingerprint: null }, own)
  return signer.identity === '' ? null : describeSigner(signer)
}

/** These publish types of attestations. At GitHub, anyone can: what follows is judged. */
const typeHosts =
  /^https:\/\/(?:slsa\.dev|in-toto\.io|spdx\.dev|cyclonedx\.org|openvex\.dev|model_signing|cosign\.sigstore\.dev|github\.com)(?=\/)/

const isFitType = (type: string, own: Own) => isFitQuotation(type.replace(typeHosts, ''), own)

/** One without its end goes on to the end of the text. */
const quotations = new RegExp(`(${statementTypePrefix})?(“[^”]*(?:”|$)|"(?:[^"\\\\]|\\\\.)*(?:"|$))`, 'g')

/** Words about a bundle without the quotations, which its signer chose, that contain another's domain or words of judgement. */
const fitWords = (text: string, signer: BundleSigner | null, own: Own): string => {
  const shown = signer === null ? null : fitSigner(signer, own)
  const named =
    signer === null || shown === null || shown === signer
      ? text
      : text.replaceAll(describeSigner(signer, quoteExactly), () => describeSigner(shown, quoteExactly))
  const judged = shown?.identity ? quoteExactly(shown.identity) : undefined
  return named.replace(quotations, (whole, isType: string | undefined, quoted: string) => {
    const stated = quoted.slice(1, -1)
    // Names of files are JSON in ASCII: a curly mark would end the quotation for readers.
    const isJson = quoted.startsWith('"')
    const isFit = isType ? isFitType : isJson ? isFitFileName : isFitQuotation
    const isQuoted = isJson ? /^"[ -~]*"$/.test(quoted) : quoted.endsWith('”')
    if (quoted === judged || (isQuoted && isFit(stated, own))) return whole
    return isType ? 'of an unknown statement type' : 'a name that is not shown here'
  })
}

/** The details of a check as visitors see them. */
export const fitDetails = (
  details: BundleDetails | null,
  signer: BundleSigner | null,
  own: Own,
): BundleDetails | null =>
  details && {
    ...details,
    signer_identity: signer && describeSigner(fitSigner(signer, own)),
    error: details.error && fitWords(details.error, signer, own),
  }

/** The bundle of a model as visitors see it. */
export const fitBundle = <Of extends Pick<Model, 'bundle_signer' | 'bundle_verification_details'>>(
  model: Of,
  own: Own,
): Of => {
  const { bundle_signer: signer, bundle_verification_details: details } = model
  return {
    ...model,
    bundle_verification_details: fitDetails(details, signer, own),
    bundle_signer: signer && fitSigner(signer, own),
  }
}

/** The record of a bundle as visitors see it. */
export const fitRecord = (record: BundleRecord, own: Own): BundleRecord => {
  const { signer, predicate_type: type } = record
  return {
    ...record,
    bundle_verification_details: fitDetails(record.bundle_verification_details, signer, own),
    message: fitWords(record.message, signer, own),
    checks: record.checks.map((check) => ({ ...check, detail: fitWords(check.detail, signer, own) })),
    signer: signer && fitSigner(signer, own),
    predicate_type: type !== null && isFitType(type, own) ? type : null,
  }
}
