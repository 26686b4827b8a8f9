import { createHash } from 'node:crypto'
import { isId, type LoggedFact, type LogProofs, type LogState, notFound, shownByLink } from '@countersign/sdk/contract'
import { leafHash } from '@countersign/sdk/log'
import type { Caller } from '../http/callers.ts'
import type { SigningService } from '../signing/service.ts'
import type { VerificationService } from '../verifications/service.ts'
import type { TransparencyService } from './service.ts'
import { weakestOf } from './standing.ts'

interface Deps {
  transparency: Pick<TransparencyService, 'factsOf' | 'subjectFacts' | 'describe'>
  verifications: Pick<VerificationService, 'restsOn'>
  signing: Pick<SigningService, 'signVerdict'>
  publicUrl: string
  now: () => number
}

const stateOf = (facts: readonly LoggedFact[]): LogState => weakestOf(facts.map(({ state }) => state))

const sha256 = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`

const isSubject = (text: string) =>
  (['prv', 'mdl', 'dep', 'sgn'] as const).some((prefix) => isId(prefix, text)) || /^[\w-]{43}$/.test(text)

/** What the log says about the facts that a verdict rests on. */
export const createVerdictProofs = ({ transparency, verifications, signing, publicUrl, now }: Deps) => {
  const originOf = async () => {
    const described = await transparency.describe()
    if (!described) throw notFound()
    return described.origin
  }

  /** Signed, so that the registry can be confronted with it later. */
  const sign = async ({ link_code, expires_at, shown, verdict, facts }: Stated) =>
    signing.signVerdict({
      iss: publicUrl,
      iat: Math.floor(now() / 1_000),
      link: sha256(link_code),
      jti: shown.jti,
      exp: Math.floor(expires_at / 1_000),
      shown: sha256(shownByLink(shown)),
      ...verdict,
      facts: facts.flatMap(({ index, entry }) =>
        index === null || entry === null
          ? []
          : [{ index, leaf: Buffer.from(leafHash(Buffer.from(entry))).toString('base64') }],
      ),
    })

  return {
    /** A subject that is private or unknown has no facts, unless it is the caller’s own. */
    async proofs(caller: Caller | undefined, subject: string): Promise<LogProofs> {
      const origin = await originOf()
      if (isSubject(subject)) {
        const facts = await transparency.subjectFacts(subject, caller?.provider_id)
        return { origin, state: stateOf(facts), facts, statement: null }
      }
      const { facts: named, provider_id, key, ...link } = await verifications.restsOn(subject)
      const facts = await transparency.factsOf(provider_id, named, key)
      return { origin, state: stateOf(facts), facts, statement: await sign({ ...link, facts }) }
    },
  }
}

/** What a signed statement names. */
interface Stated
  extends Pick<Awaited<ReturnType<VerificationService['restsOn']>>, 'link_code' | 'expires_at' | 'shown' | 'verdict'> {
  facts: readonly LoggedFact[]
}

export type VerdictProofs = ReturnType<typeof createVerdictProofs>
