import type { Check, Claims, Reason } from '@countersign/sdk/contract'
import { checkToken, importKeys, readLink, readToken, tokenTypes } from '@countersign/sdk/verify'
import { timeOf } from '../db/times.ts'
import { namesOthersDomain } from '../names/rules.ts'
import { shownNames } from '../names/store.ts'
import { codeKeyOf, sha256 } from './codes.ts'
import type { PartDeps } from './deps.ts'
import { atTime, keptDomainOf } from './record.ts'
import { linkWords } from './rules.ts'
import { type LinkRow, prepareFindByCode, prepareFindById } from './store.ts'

/** A link as it was found, or why it was not. */
export type Found = FoundLink | { refused: { reason: Reason; checks: Check[] } }

export interface FoundLink {
  row: LinkRow
  /** If it was found by its code. */
  code?: string
  /** What the token contains, if it was found by one. */
  claims?: Claims
}

/** Finds a link by its address, its code in any spelling, or one of its tokens. */
export const createFind = ({ database, signing, protection, isProxyTrusted, publicUrl, now }: PartDeps) => {
  const findByCode = prepareFindByCode(database)
  const findById = prepareFindById(database)

  const refused = (reason: Reason, detail: string): Found => {
    const check = reason === 'foreign_registry' ? 'issuer' : reason === 'not_found' ? 'signature' : 'format'
    return {
      refused: { reason, checks: [{ check, passed: false, detail, checked_at: timeOf(now()) }] },
    }
  }

  /** A name is frozen with the link, but not shown once it contains a domain that its provider no longer proves. */
  const withShownNames = async (row: LinkRow): Promise<LinkRow> => {
    const domain = keptDomainOf(row)
    const proven = domain === null ? [] : [domain]
    const { api_model_identifier } = row
    const atMinting = { api_model_identifier, display_name: row.display_name, version: row.version }
    const current = { api_model_identifier, display_name: row.now_display_name, version: row.now_version }
    const isAsMinted = current.display_name === atMinting.display_name && current.version === atMinting.version
    const all = isAsMinted ? [atMinting] : [atMinting, current]
    if (all.every((names) => namesOthersDomain(names, proven) === undefined)) return row
    const show = (names: typeof current) =>
      shownNames(database.read, { provider_id: row.provider_id, domain }, { ...row, ...names }, now())
    const shown = await show(atMinting)
    const later = await show(current)
    return {
      ...row,
      display_name: shown.display_name,
      shown_version: shown.version,
      now_display_name: later.display_name,
      now_version: later.version,
    }
  }

  const present = (row: LinkRow): Promise<LinkRow> =>
    withShownNames(atTime(row, protection, { at: now(), isProxyTrusted }))

  const findToken = async (token: string): Promise<Found> => {
    const reading = readToken(token)
    if (!reading) return refused('malformed', linkWords.link_malformed)
    const { claims, header } = reading
    if (claims.iss !== publicUrl) return refused('foreign_registry', linkWords.link_foreign)
    const [row] = await findById({ provider_id: claims.provider_id, id: claims.jti, at: now() })
    if (row) {
      // Issued tokens are recognised by their digest; no signature needs to be verified.
      const digest = sha256(token, 'base64url')
      const issued = header.typ === tokenTypes.bound ? [row.provider_digest, row.bearer_digest] : [row.token_digest]
      if (issued.includes(digest)) return { row: await present(row), claims }
    }
    const keys = await signing.list()
    const jwks = {
      keys: keys.map(
        ({ kid, public_x }) => ({ kty: 'OKP', crv: 'Ed25519', x: public_x, kid, alg: 'EdDSA', use: 'sig' }) as const,
      ),
    }
    const verdict = await checkToken({
      reading,
      keys: await importKeys(jwks),
      issuer: publicUrl,
      now: now(),
      clockToleranceSeconds: 0,
    })
    // A valid signature on a token that is not in the record proves nothing we can vouch for.
    return verdict.reason === null
      ? refused('not_found', linkWords.link_unknown)
      : { refused: { reason: verdict.reason, checks: verdict.checks } }
  }

  return async (input: string): Promise<Found> => {
    const reading = readLink(input)
    if (reading.origin !== null && reading.origin !== publicUrl)
      return refused('foreign_registry', linkWords.link_foreign)
    if (reading.kind === 'malformed') return refused('malformed', linkWords.link_malformed)
    if (reading.kind === 'mistyped') return refused('mistyped', linkWords.link_mistyped)
    if (reading.kind === 'token') return findToken(reading.token)
    const [row] = await findByCode({ code_key: codeKeyOf(reading.code), at: now() })
    return row ? { row: await present(row), code: reading.code } : refused('not_found', linkWords.link_unknown)
  }
}

export type Find = ReturnType<typeof createFind>
