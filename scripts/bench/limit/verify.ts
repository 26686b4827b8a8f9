import type { LinkLog } from '@countersign/sdk/contract'
import { formatLinkCode } from '@countersign/sdk/verify'
import { linkFactsOf, resultOf } from '../../../server/src/verifications/record.ts'
import { evaluateLink, withLogCheck } from '../../../server/src/verifications/rules.ts'
import type { LinkRow } from '../../../server/src/verifications/store.ts'
import { codeKeyOf, createCodeOf, sha256 } from './mint.ts'
import type { Store } from './store.ts'

/** Looks up a code or token in its printed spelling and returns exactly the registry's verdict. */
interface Deps {
  store: Store
  publicUrl: string
  encryptionKey: Buffer
}

/** The registry reads this at most every 30 seconds. */
const log: LinkLog = {
  state: 'logged',
  size: 4_000,
  is_witnessed: false,
  facts: ['domain acme.example', 'version', 'authorization', 'key'].map((fact) => ({ fact, index: 3_000 })),
}

export const createVerify = ({ store, publicUrl: issuer, encryptionKey }: Deps) => {
  const codeOf = createCodeOf(encryptionKey)

  const findToken = (token: string) => {
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    const row = store.findById(claims.provider_id, claims.jti) as LinkRow | undefined
    return row?.token_digest === sha256(token, 'base64url') ? row : undefined
  }

  return (input: string) => {
    const row = input.startsWith('eyJ')
      ? findToken(input)
      : (store.findByCode(codeKeyOf(input.replaceAll('-', ''))) as LinkRow | undefined)
    if (!row) return undefined
    const now = Date.now()
    const verdict = evaluateLink(linkFactsOf(row), now)
    return resultOf(
      row,
      { ...verdict, checks: withLogCheck(verdict.checks, log, now), log },
      {
        issuer,
        link_code: formatLinkCode(codeOf(row.id, row.issued_at)),
        now,
      },
    )
  }
}
