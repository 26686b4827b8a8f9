import { createHash } from 'node:crypto'
import {
  asQuoted,
  type DeclaredSigner,
  dotLetters,
  dotWords,
  type listingProblems,
  nameProblem,
  plainWebUrl,
  resembled,
  shortened,
} from '@countersign/sdk/contract'
import { parse } from 'tldts'

export interface NamesOfModel {
  display_name: string
  api_model_identifier: string
  model_name: string
  version: string
  family_name: string | null
}

export type ShownTogether = Pick<NamesOfModel, 'display_name' | 'api_model_identifier' | 'version'>

const isFit = (name: string | null) => name === null || nameProblem(name) === undefined

export const isFitProvider = ({ company_name }: { company_name: string | null }): boolean => isFit(company_name)

export const modelNames = ['display_name', 'model_name', 'version', 'family_name'] as const

type SomeNames = { readonly [Name in keyof NamesOfModel]?: string | null | undefined }

const isOwn = (proven: readonly string[]) => (name: string | null) => !holdsOthersDomain(name, proven, 'model')

/** Pages show a version right after a name. This text of both breaks a rule, though neither alone does. */
const unfitTogether = (
  { display_name, api_model_identifier, version }: SomeNames,
  isFitting: (name: string) => boolean,
): string | undefined =>
  version == null || !isFitting(version)
    ? undefined
    : [display_name, api_model_identifier]
        .filter((name) => name != null && isFitting(name))
        .map((name) => `${name} ${version}`)
        .find((text) => !isFitting(text))

/** Why a version may not be shown after a name; undefined if it may. */
export const problemTogether = (names: ShownTogether, proven: readonly string[]): string | undefined => {
  const text = unfitTogether(names, isFit)
  if (text !== undefined) return nameProblem(text)
  return unfitTogether(names, isOwn(proven)) === undefined ? undefined : othersDomainWords.model
}

/** The first name that contains a domain which its provider has not proven, be it together with the name before it. */
export const namesOthersDomain = (
  names: SomeNames,
  proven: readonly string[],
): (typeof modelNames)[number] | undefined => {
  const isFitting = isOwn(proven)
  return (
    modelNames.find((name) => !isFitting(names[name] ?? null)) ??
    (unfitTogether(names, isFitting) === undefined ? undefined : 'version')
  )
}

/** What is wrong with the identifier of a new version, which links and pages show. Earlier versions keep theirs. */
export const identifierProblem = (identifier: string, proven: readonly string[]): string | undefined =>
  nameProblem(identifier) ?? (holdsOthersDomain(identifier, proven, 'model') ? othersDomainWords.model : undefined)

export const isFitModel = (names: NamesOfModel, proven: readonly string[]): boolean =>
  modelNames.every((name) => isFit(names[name])) &&
  namesOthersDomain(names, proven) === undefined &&
  unfitTogether(names, isFit) === undefined

interface NamesOfVersion {
  display_name: string
  model_name?: string
  version: string
  family_name?: string | null
  api_model_identifier: string
  version_number: number
}

/** The names of a version without those that contain a domain which its provider does not prove: identifier or number stand for them. */
export const fitNames = <Names extends NamesOfVersion>(names: Names, proven: readonly string[]): Names => {
  const isFitting = isOwn(proven)
  const { display_name, version, model_name, family_name, api_model_identifier, version_number } = names
  const number = `#${version_number}`
  const neutral = isFitting(api_model_identifier) ? api_model_identifier : number
  return {
    ...names,
    display_name: isFitting(display_name) ? display_name : neutral,
    version: isFitting(version) && unfitTogether(names, isFitting) === undefined ? version : number,
    ...(model_name !== undefined && { model_name: isFitting(model_name) ? model_name : neutral }),
    ...(family_name !== undefined && { family_name: isFitting(family_name) ? family_name : null }),
  }
}

/** A cloud label or SPIFFE ID as visitors see it; null for a stored one that breaks the rules or contains another domain. */
export const fitLabel = (label: string | null, provenDomain: string | null): string | null =>
  isFit(label) &&
  label !== null &&
  !isOfPlatform(label, provenDomain) &&
  !holdsOthersDomain(label, [provenDomain], 'label')
    ? label
    : null

/** `https://`, `urn:`, and such with a slash too few. */
const schemes = /(?<![a-z\d+.-])(?:(?:ur[iln]|https?|did:web|mailto|spiffe):\/*|[a-z][a-z\d+.-]*:\/+)/giu

/** Whether a label is nothing but a platform's domain, or a SPIFFE ID whose trust domain contains one and is not the company's own. */
const isOfPlatform = (label: string, provenDomain: string | null): boolean => {
  const [, afterSpiffe] = /spiffe:(.*)/isu.exec(label) ?? []
  if (afterSpiffe === undefined) return !/[\p{L}\p{N}]/u.test(label.replace(schemes, '').replace(ofPlatforms, ''))
  const [trustDomain = ''] = afterSpiffe.replace(schemes, '').replace(/^\/+/, '').split('/')
  return (
    trustDomain.replace(ofPlatforms, ' ') !== trustDomain &&
    (provenDomain === null || !isAtOrBelow(trustDomain.toLowerCase(), provenDomain))
  )
}

/** Signs that subjects of platforms have between names: `repo:acme/chat:ref_type:branch`, `chat@acme.iam.gserviceaccount.com`. */
const betweenNames = /[^\p{L}\p{M}\p{N}. -]+/gu

/** Identities are quoted with `\u{e9}` in place of an `é`, so that people read what is beside it as a word. */
const isFitText = (text: string, own: readonly (string | null)[], of: Named): boolean => {
  const decoded = decodingsOf(text)
  return (
    decoded.length <= mostDecodings &&
    [...asWrittenAndShown(text), text.replace(/[^ -~]+/g, ' '), ...decoded, text.replace(/[[\]{}]+/g, ' ')].every(
      (each) => isFit(each.replace(betweenNames, ' ').trim()) && !holdsOthersDomain(each, own, of),
    )
  )
}

const mostDecodings = 3

/** What percent escapes stand for, decoded again and again. */
const decodingsOf = (text: string): string[] => {
  const decoded: string[] = []
  for (let last = text; decoded.length <= mostDecodings; last = decoded.at(-1) ?? '') {
    const next = withoutEscapes(last)
    if (next === last) break
    decoded.push(next)
  }
  return decoded
}

/** `openai.com` for `openai%2Ecom`. */
const withoutEscapes = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    // Bytes that are no text separate words.
    return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      /^[0-7]/.test(hex) ? String.fromCharCode(Number.parseInt(hex, 16)) : ' ',
    )
  }
}

/** Judging one of 2,000 characters takes 0.4 s. */
const longestJudged = 300

/** By text and own domains, because a signer is judged at every verification: 200 → 1 µs. */
const judged = new Map<string, boolean>()

/** Whether visitors may read a quoted text that someone chose. */
export const isFitQuotation = (text: string, own: readonly (string | null)[], of: Named = 'label'): boolean => {
  if (text.length > longestJudged) return false
  const key = JSON.stringify([text, own, of])
  const known = judged.get(key)
  if (known !== undefined) return known
  const isFitHere = isFitText(text, own, of)
  if (judged.size >= mostKept) judged.clear()
  judged.set(key, isFitHere)
  return isFitHere
}

/** Endings of files that are also those of domains. */
const ofFiles = new Set('cc md mov pl ps pt py rs sh st zip'.split(' '))
/** As in `yolov8n.pt` and `sd-v1.5.pt`. `libmodel.so` is a file, `notion.so` a domain. */
const fileEnding = new RegExp(
  `(?<=(?:^|/)[\\w-]+(?:\\.\\d[\\d-]*)*)\\.(?:${[...ofFiles].join('|')})$|(?<=(?:^|/)lib[\\w-]+)\\.so$`,
  'i',
)

/** Whether visitors may read the name of a file, which a check quotes. */
export const isFitFileName = (name: string, own: readonly (string | null)[]): boolean =>
  isFitQuotation(name.replace(fileEnding, ''), own, 'model')

/** What a platform says of a server, as visitors see it. Its customers choose names in it; null with another's domain or words of judgement. */
export const fitSubject = (subject: string, provenDomain: string | null): string | null =>
  isFitQuotation(subject, [provenDomain]) ? subject : null

/** The address of an issuer, as visitors see it. Customers of a platform choose names in its path as well: with such a one, its host alone. */
export const fitIssuer = (issuer: string, ...own: readonly (string | null)[]): string => {
  const { host, pathname } = new URL(issuer)
  return isFitQuotation(pathname, own) ? issuer : host
}

/** Issuers of signers, whose addresses say nothing of who signed. */
const signerIssuers = new Set([
  'https://token.actions.githubusercontent.com',
  'https://gitlab.com',
  'https://github.com/login/oauth',
  'https://accounts.google.com',
])
/** Customers of these choose names in what follows: `https://kubernetes.io/namespaces/prod/serviceaccounts/chat`. */
const atHost = /^https:\/\/(?:git(?:hub|lab)\.com|buildkite\.com|kubernetes\.io)(?=\/)/

/** Whether visitors may read the name of a job, repository or service account, or a name that a company declared. */
export const isFitIdentity = (identity: string, own: readonly (string | null)[]): boolean =>
  isFitQuotation(identity.replace(atHost, ''), own)

/** Whether visitors may read a signer that a company declared. It proves none of these texts, so they are judged like a subject. */
export const isFitSigner = (signer: DeclaredSigner, keptDomains: readonly string[]): boolean => {
  if (signer.kind === 'key' || signer.kind === 'certificate') return true
  const { issuer } = signer
  const names = signer.kind === 'identity' ? [signer.identity] : [signer.repository, signer.workflow ?? '']
  return [...(signerIssuers.has(issuer) ? [] : [issuer]), ...names].every((text) => isFitIdentity(text, keptDomains))
}

const isAtOrBelow = (host: string, domain: string) => host === domain || host.endsWith(`.${domain}`)

/** The website as visitors see it: null unless it is at or below a domain that its provider has proven. */
export const publicWebsite = (website: string | null, provenDomain: string | null): string | null => {
  if (website === null || provenDomain === null) return null
  // Most are the domain itself. Parsing an address takes 2 µs.
  if (website === `https://${provenDomain}`) return website
  const plain = plainWebUrl(website)
  if (plain === undefined) return null
  return isAtOrBelow(new URL(plain).hostname, provenDomain) ? plain : null
}

/* ---- names that look alike ---- */

/** `openai☃.com` is quoted without the snowman. Most texts have nothing of that kind, and quoting takes 5 µs. */
const asShown = (text: string) => (/^[\w.:/@&()+,!#-]+(?: [\w.:/@&()+,!#-]+)*$/.test(text) ? text : asQuoted(text))

/** A text as stored and, if that differs, as pages show it. */
const asWrittenAndShown = (text: string): string[] => {
  const shown = asShown(text)
  return shown === text ? [text] : [text, shown]
}

/** Whether pages show two texts alike, as `1.0` and `1.0'`. */
export const areShownAlike = (one: string, other: string): boolean => asShown(one) === asShown(other)

/** Letters that look like apostrophes, such as the Greek `ʹ`, are quoted as such. */
const wordsOf = (text: string) =>
  asShown(resembled(text))
    .normalize('NFKD')
    .match(/[\p{L}\p{N}]+/gu) ?? []
/** Letters in pairs that look like one: `rn`, `vv` and `cl`, also written `c1` and `cI`. */
const withPairs = (letters: string) => letters.replace(/rn/g, 'm').replace(/vv/g, 'w').replace(/cl/g, 'd')

const tableOf = (words: string) => new Set(words.split(' ').map((word) => withPairs(resembled(word))))

/** In `C!aude`, `C!AUDE`, `Acme A!` and `No+ion`; not in `Yahoo! Japan`, `Disney+` and `Kühne+Nagel`. */
const signsAsLetters = /(?<=\p{L})[!+](?=\p{Ll})|(?<=\p{Lu})!(?=\p{Lu})|(?<=(?<!\p{Lu})A)!(?!\p{L})/gu
const asLetter = (sign: string) => (sign === '!' ? 'l' : 't')

/** Articles and legal forms before a name. */
const leadingWords = tableOf('the a an le la les el der die das ooo oao ооо оао зао пао ао pt uab sia sarl')
/** Words that say what a company is, not what it is called. */
const endings = tableOf(
  'inc incorporated corp corporation co company ltd limited llc llp lp plc gmbh mbh ag kg kgaa ug se sa sas sarl srl spa bv nv ab as asa aps oy oyj kk pty pte pvt sl sro doo ltda group holding holdings pbc publicbenefitcorporation limitedliabilitycompany limitedliabilitypartnership publiclimitedcompany pllc ou kft zrt nyrt jsc ojsc pjsc ooo zao pao uab sia eood ead dooel spzoo spj ооо оао зао пао aktiengesellschaft gesellschaft ev eg ohg gbr gesmbh cv sadecv srlcv eirl sasu snc scs scop sarlu gmbhundcokg gmbhundcokgaa ugundcokg limitada eireli gk sdnbhd bhd tbk',
)
/** `S.A. de C.V.` is five words. */
const longestEnding = 5
/** Legal forms in scripts without spaces between words. */
const gluedEndings =
  /\([株주]\)|주식\s*회사|유한\s*회사|株式\s*会社|有限会社|合同会社|股份有限公司|有限责任公司|有限公司|株式會社/gu

const endingLength = (words: readonly string[]): number => {
  for (let length = Math.min(longestEnding, words.length - 1); length > 0; length--)
    if (endings.has(words.slice(-length).join(''))) return length
  return 0
}

/** Without a leading article and corporate endings; at least one word stays. */
const nameWordsOf = (text: string): readonly string[] => {
  const name = text.normalize('NFKC').replace(gluedEndings, ' ')
  let words: readonly string[] = wordsOf(/[\p{L}\p{N}]/u.test(name) ? name : text).map(withPairs)
  if (words.length > 1 && leadingWords.has(words[0] ?? '')) words = words.slice(1)
  for (let length = endingLength(words); length > 0; length = endingLength(words)) words = words.slice(0, -length)
  return words
}

/**
 * Equal text for names that look the same: without case, marks, blanks, punctuation, articles and corporate endings, and with look-alike
 * letters of other alphabets as Latin ones. Empty if nothing is left.
 */
export const skeletonOf = (name: string): string | null => skeletonOfWritten(name.replace(signsAsLetters, asLetter))

const skeletonOfWritten = (name: string): string | null => {
  const letters = withPairs(nameWordsOf(name).join(''))
  return letters === '' ? null : letters
}

const mostSigns = 4

/** Which signs of a name are letters: all choices for a few signs; for more, none, all or each `!`. */
const choicesOf = (signs: readonly string[]): boolean[][] =>
  signs.length > mostSigns
    ? [signs.map(() => false), signs.map(() => true), signs.map((sign) => sign === '!')]
    : Array.from({ length: 2 ** signs.length }, (_, choice) =>
        signs.map((_sign, index) => ((choice >> index) & 1) === 1),
      )

/** More readings of a name with such signs, because a protected name may be meant: each separates or is a letter, as in `Open+A!`. */
const readingsOfSigns = (name: string): (string | null)[] => {
  const plain = name.normalize('NFKC')
  const signs = plain.match(/[!+]/g)
  return (signs === null ? [] : choicesOf(signs)).map((isLetter) => {
    let index = 0
    return skeletonOfWritten(plain.replace(/[!+]/g, (sign) => (isLetter[index++] ? asLetter(sign) : ' ')))
  })
}

/* ---- names that contain a domain ---- */

const registrableOf = (host: string) => parse(host, { allowPrivateDomains: true }).domain

/** Letters and marks that look like a dot, and words for one. */
const dotLike = new RegExp(
  `[${dotLetters}\u302e\u302f\u{1d16d}]|\u0358(?=[\\p{L}\\p{N}])|(?<=[a-z\\d])(?:${dotWords.within})(?=[a-z])`,
  'giu',
)

/** Stands for a dot that people add when they read: `acme .example`, `acme,example`, `acme dot example`. */
const added = '·'

/** Endings that people read as a domain’s however they are written: `(acme) . com`, `Acme. Com`. */
export const knownEndings = ['com', 'net', 'org', 'edu', 'gov', 'io', 'example']
const endingOf = (few: readonly string[]) => `(?:${few.join('|')})(?![\\p{L}\\p{M}\\p{N}])`
const known = endingOf(knownEndings)
const around = " ,&'’()+–/:_!#-"
/** `openai닷컴` */
const comInWords = new RegExp(`(?<=[a-z\\d])[${around}]*(?:${dotWords.withCom})`, 'giu')
const knownBesideSigns = new RegExp(
  `(?<=[\\p{L}\\p{M}\\p{N}])[${around}]*(?:\\.|(?<=\\p{L})[,:](?! ))[${around}.]*(?=${known})`,
  'giu',
)

/** `acme (.shop)`, `acme-.shop`; not in `Loader for .pt`. Labels may be paths. */
const dotAfterSigns = /[\s,&'’()+–/:_!#-]+\.\s*(?=(\p{L}[\p{L}\p{M}\p{N}-]*))/gu
const isPathOrFile = (signs: string, ending: string, of: Named) =>
  (of === 'label' && signs.includes('/')) || (of !== 'company' && ofFiles.has(ending.toLowerCase()))
/** These people also read as a domain’s at the end of a text, after a space: `Mistral. AI`. */
export const lastEndings = ['ai', 'amazon', 'app', 'apple', 'aws', 'de', 'dev', 'google', 'microsoft']
const atLast = `${endingOf(lastEndings)}(?! ?\\p{L})`
/** As in `Humans vs. AI`, `J. Apple` and `A.I. Dev`. `X. AI` is a domain. */
const abbreviation = '(?<![\\p{L}\\p{M}\\p{N}])(?:[a-wyz]|vs|inc|corp|co|ltd|llc|bros|dr|mr|ms|mrs|st|no)'
const dotBeforeLast = new RegExp(
  `(?<=[\\p{L}\\p{M}\\p{N}])(?<!${abbreviation})[${around}]*\\.[${around}.]+(?=${atLast})`,
  'giu',
)

/** `acme dot shop`, `acme punto com`, `acmedotcom`; not `punto de venta`. */
const dotInWords = new RegExp(
  `(?<=[\\p{L}\\p{M}\\p{N}])[${around}]*d[o0]t(?=(?:c[o0](?:m|rn)|net|org|ai|io)(?![\\p{L}\\p{M}\\p{N}]))|(?<=[\\p{L}\\p{M}\\p{N}])[${around}]*(?<![\\p{L}\\p{M}\\p{N}])(?:d[o0]t(?![\\p{L}\\p{M}\\p{N}])[${around}.]*(?=[\\p{L}\\p{N}])|(?:${dotWords.apart.join('|')})[${around}.]+(?=${known}|${atLast}))`,
  'giu',
)
const beforeKnown = new RegExp(`^${known}`, 'iu')
/**
 * `Dot` in `Blue Dot AI` and `Ada Dotcom` is part of a name, and a dot in `Mistral dot ai`, `Mistral Dot ai`, `Mistral (Dot) AI`,
 * `Acme Dot Com` and `Acme dotcom`.
 */
const withDots = (text: string) =>
  text.replace(dotInWords, (dot: string, offset: number) => {
    const after = text.slice(offset + dot.length)
    const isName = /^ \p{Lu}\p{Ll}+ $/u.test(dot)
      ? /^\p{Lu}/u.test(after) && !beforeKnown.test(after)
      : /[^\p{L}]D[o0]t$/u.test(dot) && /^\p{Ll}/u.test(after)
    return isName ? dot : added
  })

/** `www acme com`, `gpt_www_acme_com` */
const spacedAfterWww = new RegExp(
  `(?<=(?<![\\p{L}\\p{M}\\p{N}])www[${around}.]+[\\p{L}\\p{M}\\p{N}-]+)[${around}]+(?=[\\p{L}\\p{N}])`,
  'giu',
)

const asItLooks = (word: string) => withPairs(resembled(word))
const endingAsItLooks = new Map([...knownEndings, ...lastEndings].map((ending) => [asItLooks(ending), ending]))
/** `c0mGPT`, `C0M5`, `corn5` and `cornChat` after a dot; not `ORGANIC`, `A100` or `105b`. */
const withPlainStart = (word: string) => {
  for (let length = Math.min(word.length - 1, 5); length > 1; length--) {
    const [start, rest] = [word.slice(0, length), word.slice(length)]
    const isCut = /^(?:[0-9]|[^\P{L}\p{sc=Latin}])/u.test(rest) || (/^\p{Lu}/u.test(rest) && /\p{Ll}/u.test(start))
    const isWord =
      (length > 2 ? /\p{L}.*\p{L}/u : /^\p{L}{2}|[a-z]/u).test(start) && !(/\d$/.test(start) && /^\d/.test(rest))
    const ending = isCut && isWord ? endingAsItLooks.get(asItLooks(start)) : undefined
    if (ending !== undefined) return ending + rest
  }
  return word
}
/** `СОМ` in Cyrillic, `c0m`, `corn` and `clev` as they look, also glued to capitals; `2.10` and `Cie` stay. */
export const withPlainEndings = (text: string) =>
  text
    .replace(/(?<=[\p{L}\p{N}][.·])[\p{L}\p{M}\p{N}]{3,}/gu, withPlainStart)
    .replace(/([\p{L}\p{M}\p{N}]+?)(?=[^\p{L}\p{M}\p{N}]|$|(?<=\p{Ll})\p{Lu}{2})/gu, (word) =>
      /\P{ASCII}|rn|cl|\d[a-z]|[a-z]\d/iu.test(word) || word.includes('cI')
        ? (endingAsItLooks.get(asItLooks(word)) ?? word)
        : word,
    )

/** The products of Microsoft, as words of their own: `google-ml.net` and `behance .net` are domains. */
const ofDotNet = /(?<![^ (])(?:ASP|ADO|ML|VB)?\.NET(?![\p{L}\p{M}\p{N}-]|[.·][\p{L}\p{N}])/gu
/** Platforms name servers by their own domains, as in `chat.iam.gserviceaccount.com`, and Azure has names with a dot. Customers choose what precedes. */
const ofPlatforms =
  /(?<![\w-])(?:googleapis\.com|(?:iam\.)?gserviceaccount\.com|amazonaws\.com|azure\.com|azurewebsites\.net|onmicrosoft\.com|windows\.net|githubusercontent\.com)\b|\bproviders\/microsoft\.\w+/giu

/** As a company writes them: `The .NET Guild`, `ASP.NET Consulting`. */
const ofDotNetFirst =
  /(?<![^ (])(?:(?:ASP|ADO|ML|VB)\.NET|(?<=^(?:The )?)\.NET)(?![\p{L}\p{M}\p{N}-]|[.·][\p{L}\p{N}])/gu
/** `Co.KG` and `Pte.Ltd` after a name. */
const legalForms = /(?<= )(?:co|pte|pvt|sdn)\.(?:kg|kgaa|ltd|limited|bhd|inc)(?![\p{L}\p{M}\p{N}.·-])/giu

/** A dot or comma before a small letter; not in `A. ai` and `Gebr. de Jong`. */
const beforeSmall =
  /(?<!\.[a-wyzA-WYZ]|(?<!\p{L})(?:Gebr|Fa|Wed|C[ií]a|Univ|Soc|Hnos|[EÉ]d|Inst|Fund))\.\s+(?=\p{Ll})|[,:](?=\p{Ll})/gu

interface Host {
  /** What precedes the suffix of the registrable domain: `acme`. */
  label: string
  suffix: string
  /** What precedes the registrable domain: `chat`. */
  below: string
}

/** What variants of models are called: `1.5.pro`, `2025.11.prod`. Most other endings belong to a company, such as `google`, or are sold. */
const ofVariants = new Set(['app', 'chat', 'dev', 'mini', 'pro', 'prod'])
/** `10` in `v1.10.de`, `1-8b` in `Llama-3.1-8B.de`. */
const partOfVersion = /^\d{1,2}[bkm]?(-\d{1,3}[bkm]?)*$/
/** With a known ending, and `ai`, as in `v1.10.ai`: `2.01.ai` and `v2.360.com` are domains. */
const partBeforeKnown = /^[1-9]?\d$/
/** `llama-3`, `v2.1`. */
const versionBelow = /^(?:[a-z]+-)?v?\d+[bkm]?([.-]\d+[bkm]?)*$/
/** `v2` in `v2.app`; not `3m`. */
const versionAlone = /^v?[1-9]\d?b?$/

/** Versions of models that have the form of a host: `v2.0.app`, `v1.10.de`; with a word before the dot, as in `gpt4.app`, it is a domain. */
const isVersion = ({ label, suffix, below }: Host): boolean => {
  if (below === '') return ofVariants.has(suffix) && versionAlone.test(label)
  if (!versionBelow.test(below)) return false
  if (knownEndings.includes(suffix) || suffix === 'ai') return partBeforeKnown.test(label)
  return (ofVariants.has(suffix) || suffix.length === 2) && partOfVersion.test(label)
}

/** Most names, also with a version after them. They are read at every verification: 3 → 0.5 µs. */
const isPlain = (name: string) =>
  (/^[\w &()+/!#-]*( v?\d+(\.\d+)*)?$/i.test(name) && !/d[o0]t|punto|www/i.test(name)) || /^v?\d+(\.\d+)*$/i.test(name)

type Named = 'company' | 'model' | 'label'

/** The host as people read it: `acme.example` for one in Cyrillic letters that look the same. Pages show the ASCII form of a domain. */
const readAs = (host: string): string => {
  const read = host.split('.').map((label) => (/\P{ASCII}/u.test(label) ? resembled(label) : label))
  return read.some((label) => /\P{ASCII}/u.test(label)) ? host : read.join('.')
}

/** Hosts that people read in one with added dots: all of it, and what precedes each of them, as in `acme.example. rival.example`. */
const readingsOf = (host: string): string[] => {
  const parts = host.split(added)
  return parts.map((_, index) => parts.slice(0, index + 1).join('.'))
}

interface Reading {
  host: string
  /** Whether it is only a part of the word, as people may read it. */
  isCut: boolean
}

/** `acme.com` in `acme.com-5`, `acme.comGPT` and `在acme.com的`, and the whole. */
const partsOf = (host: string): Reading[] => {
  const cut = host
    .replace(
      /(?<=[.·])((?:COM|NET|ORG|EDU|GOV|IO)(?=\p{Lu}\p{Ll})|AI(?=\p{Lu}\p{Ll})(?!R(?:line|way|craft|port)s?\b)|\p{Lu}?\p{Ll}+|\p{Lu}+)[^.·]*$/u,
      '$1',
    )
    .replace(/^[^.·]*[^\p{Script=Latin}\p{N}.·-]/u, '')
  return [{ host, isCut: false }, ...(cut === host ? [] : [{ host: cut, isCut: true }])]
}

/** `Mistral.A!`, `Mistral dot A!`, `openai.!o` */
const exclaimed = /(?<=(?:\.|d[o0]t)[ ()]*)(?:a!|!o)(?![\p{L}\p{N}])/giu

/** Registrable domains that people read in a name: that of `Acme (chat.acme.example)`, none in `A.I. Labs`. */
const domainsIn = (name: string, of: Named): string[] => {
  const signed = name
    .normalize('NFKC')
    .replace(legalForms, ' ')
    .replace(exclaimed, (ending) => ending.replace('!', 'i'))
  const plain = withPlainEndings(signed.replace(comInWords, '.com').replace(dotLike, '.'))
  const named =
    of === 'company'
      ? plain.replace(ofDotNetFirst, ' ')
      : (of === 'model' ? plain : plain.replace(ofPlatforms, ' ')).replace(ofDotNet, ' ')
  const joined = withPlainEndings(withDots(named))
    .replace(knownBesideSigns, (signs) => (signs === '.' ? signs : added))
    .replace(dotAfterSigns, (signs, ending: string) => (isPathOrFile(signs, ending, of) ? signs : added))
    .replace(dotBeforeLast, added)
    .replace(spacedAfterWww, added)
  // People also read `acme .shop`, `acme. shop`, `acme..shop` and `acme,shop` as a domain. Models have colons: `llama:chat`.
  const text = of === 'company' ? joined.replace(beforeSmall, added) : joined
  // `//v2.app` is an address.
  const written = text.replace(/\/\/(?=[\p{L}\p{N}])/gu, '//www.').replace(/[.·]{2,}/g, added)
  const hosts = written.match(/[\p{L}\p{M}\p{N}-]+(?:[.·][\p{L}\p{M}\p{N}-]+)+/gu) ?? []
  return hosts
    .flatMap(readingsOf)
    .flatMap((each) => [...new Set([each, readAs(each)])])
    .flatMap(partsOf)
    .flatMap((each) => {
      const host = URL.parse(`https://${each.host}`)?.hostname ?? ''
      const found = parse(host, { allowPrivateDomains: true })
      // `github.io` itself is the domain of its owner.
      const { domain, domainWithoutSuffix, isIcann, isPrivate, publicSuffix } =
        found.domain === null ? parse(host) : found
      const isDomain = isIcann || isPrivate || publicSuffix === 'example' || publicSuffix === 'test'
      if (domain === null || !isDomain) return []
      const [label, below] = [domainWithoutSuffix ?? '', host.slice(0, -domain.length - 1)]
      // `1.0.post1` and `v2.1.build-7`
      if (each.isCut && partBeforeKnown.test(label) && versionBelow.test(below)) return []
      return of === 'model' && isVersion({ label, suffix: publicSuffix ?? '', below }) ? [] : [domain]
    })
}

const mostKept = 10_000
/** By kind and name, because the names of a link are read at every verification: 20 → 0.6 µs for one such as `Llama-3.1-8B`. */
const kept = new Map<string, string[]>()

const keptDomainsIn = (name: string, of: Named): string[] => {
  const key = `${of} ${name}`
  const known = kept.get(key)
  if (known !== undefined) return known
  const found = asWrittenAndShown(name).flatMap((text) => domainsIn(text, of))
  if (kept.size >= mostKept) kept.clear()
  kept.set(key, found)
  return found
}

const domainsOf = (text: string, of: Named) => (isPlain(text) ? [] : keptDomainsIn(text, of))

/** A name with a domain in it makes a claim about identity: it is allowed only at one of these hosts. */
export const holdsOthersDomain = (
  name: string | null,
  own: readonly (string | null)[],
  of: Named = 'company',
): boolean => {
  const domains = name === null ? [] : domainsOf(name, of)
  return domains.length > 0 && domains.some((domain) => !own.some((host) => host && registrableOf(host) === domain))
}

/** What a text says besides characters that names may not have, such as the brackets around a replaced address. */
const problemOfText = (text: string) => nameProblem(text.replace(/[^\p{L}\p{M}\p{N} .,&'’()+\-–/:_!#]/gu, ' '))

/**
 * At most this many characters of a text, cut so that what is left says nothing that the whole does not say: `Mistral. AI Research` without
 * its last word names a domain. Empty if nothing is left.
 */
export const shortenedFit = (text: string, max: number, of: Named): string => {
  if ([...text].length <= max) return text
  const domains = new Set(domainsOf(text, of))
  const problems = [undefined, problemOfText(text)]
  const isFit = (part: string) =>
    problems.includes(problemOfText(part)) && domainsOf(part, of).every((domain) => domains.has(domain))
  let cut = ''
  for (let length = max; length > 1; length--) {
    const next = shortened(text, length)
    if (next !== cut && isFit(next.slice(0, -1))) return next
    cut = next
  }
  return ''
}

export const othersDomainWords = {
  company:
    'A name may only contain your own website’s domain, in ASCII if it looks like another: remove the domain, or set that website',
  model: 'This contains a domain that you have not proven: remove it, or prove the domain first',
} as const

/* ---- names that the operator protects ---- */

export interface ProtectedName {
  name: string
  domain: string
}

/** One name per line, a blank, and the domain that it belongs to; `#` begins a comment. Undefined if a line has another form. */
export const readProtectedNames = (text: string): ProtectedName[] | undefined => {
  const lines = text
    .split('\n')
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
    .filter((line) => line !== '')
  const names = lines.map((line) => {
    const [, name, domain] = /^(.+?)\s+((?:[a-z0-9-]+\.)+[a-z0-9-]+)$/i.exec(line) ?? []
    return name !== undefined && domain !== undefined && skeletonOf(name) !== null
      ? { name, domain: domain.toLowerCase() }
      : undefined
  })
  return names.every((name) => name !== undefined) ? names : undefined
}

interface NamedRow extends Record<'company_name' | 'name_skeleton', string | null> {
  unfit_name: number
  is_look_alike: number
}

/** The domains that a name belongs to, by what it looks like. */
export const createProtection = (names: readonly ProtectedName[]) => {
  const domainsOf = new Map<string, string[]>()
  for (const { name, domain } of names) {
    const skeleton = skeletonOf(name) ?? ''
    domainsOf.set(skeleton, [...(domainsOf.get(skeleton) ?? []), domain])
  }
  /** Whether a name belongs to a provider other than the one with this host. */
  const isOthers = ({ name, skeleton }: Record<'name' | 'skeleton', string | null>, host: string | null): boolean => {
    const readings = domainsOf.size === 0 || name === null ? [] : [skeleton, ...readingsOfSigns(name)]
    const isProtected = readings.some((reading) =>
      domainsOf.get(reading ?? '')?.every((domain) => host === null || !isAtOrBelow(host, domain)),
    )
    return isProtected || holdsOthersDomain(name, [host])
  }
  const pairs = [...domainsOf].flatMap(([skeleton, domains]) => domains.map((domain) => `${skeleton} ${domain}`))
  return {
    skeletons: [...domainsOf.keys()],
    /** Differs if the names do; empty without names. */
    digest: pairs.length === 0 ? '' : createHash('sha256').update(pairs.sort().join('\n')).digest('hex'),
    isOthers,
    /** A name as visitors see it: null if it belongs to a domain other than the proven one. */
    shown: ({
      name,
      skeleton,
      provenDomain,
    }: Record<'name' | 'skeleton' | 'provenDomain', string | null>): string | null =>
      isOthers({ name, skeleton }, provenDomain) ? null : name,
    /** Why a provider with this name is not listed; its invitations don’t show the name either. */
    problemOf: (row: NamedRow, provenDomain: string | null): (typeof listingProblems)[number] | null => {
      if (row.unfit_name === 1) return 'name_not_allowed'
      if (isOthers({ name: row.company_name, skeleton: row.name_skeleton }, provenDomain)) return 'name_protected'
      return row.is_look_alike === 1 ? 'name_looks_alike' : null
    },
  }
}

export type Protection = ReturnType<typeof createProtection>

export const noProtection: Protection = createProtection([])
