import { ApiError, type Countersign } from '@countersign/sdk'
import type { Binding, Jwks } from '@countersign/sdk/contract'
import { createVerifier } from '@countersign/sdk/verify'
import type { Context } from '../../context.ts'
import { resolveModel } from '../../registry/own-model.ts'
import { bindingWords } from '../../render/binding-words.ts'
import { shellWord } from '../../render/shell-word.ts'
import { fail, type Look, ok, reasonOf, skipped, warn } from './finding.ts'

interface Deps {
  client: Countersign | undefined
  jwks: Jwks | undefined
  model: string | undefined
  /** Proves the deployment, if there is a certificate or a key. */
  proving: Countersign | undefined
}

interface Minted {
  token: Look
  /** How the registry saw the deployment, if it proved itself. */
  seen?: Look
}

/** An end-to-end test: mints a link and checks its token with the registry's keys. */
export const mintAndVerify = async (context: Context, { client, jwks, model, proving }: Deps): Promise<Minted> => {
  if (model === undefined) return { token: skipped('Add --model MODEL to mint a link and check its token') }
  if (client === undefined || jwks === undefined)
    return { token: skipped('Not checked: needs a valid API key and the registry’s keys') }
  try {
    const model_id = await resolveModel(context, client, model)
    const answer = await (proving ?? client).verifications.create({ model_id })
    const token = await verify(context, answer.token, jwks)
    return {
      token: answer.warnings.length === 0 || token.status !== 'ok' ? token : warnAlso(token, answer.warnings, model),
      ...(proving && { seen: seenOf(answer) }),
    }
  } catch (error) {
    if (context.signal.aborted) throw context.signal.reason
    const detail = error instanceof ApiError ? error.detail : reasonOf(error)
    const exit = error instanceof ApiError && error.status < 500 ? (error.status === 404 ? 5 : 4) : 8
    return {
      token: fail(exit, `Could not mint a link for ${model}: ${detail}`, `countersign models show ${shellWord(model)}`),
    }
  }
}

/** A token that verifies can be that of a link that is not valid, for example if the bundle is invalid. */
const warnAlso = ({ detail }: Look, warnings: readonly string[], model: string) =>
  warn(`${detail}. ${warnings.join(' ')}`, `countersign models show ${shellWord(model)}`)

const verify = async ({ now }: Context, token: string, jwks: Jwks): Promise<Look> => {
  const issuer = issuerOf(token)
  const verdict = await createVerifier({ issuer, jwks, now: () => now().getTime() }).verify(token, {
    allowUnverifiedProvider: true,
  })
  if (verdict.result === 'verified') return ok(`A new token of ${issuer} verifies with these keys`)
  const refused = verdict.checks.find(({ passed }) => passed === false)
  return fail(
    verdict.result === 'unknown' ? 9 : 3,
    `A new token does not verify: ${refused?.detail ?? verdict.reason}`,
    'countersign verify LINK --verbose',
  )
}

/** Not verified yet: only used to say what the token should contain. */
const issuerOf = (token: string): string => {
  const { iss } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as { iss?: unknown }
  return String(iss)
}

const seenOf = ({
  deployment_id,
  deployment_binding,
}: {
  deployment_id: string | null
  deployment_binding: Binding | null
}): Look => {
  if (deployment_id === null)
    return fail(
      4,
      'The registry saw no certificate: a proxy in front of it ends the TLS connection',
      'countersign deployments list',
    )
  if (deployment_binding !== null && deployment_binding !== 'self-asserted')
    return ok(`The registry saw ${deployment_id}, ${bindingWords[deployment_binding]}`)
  return fail(4, `The registry saw ${deployment_id} named but not proven`, 'countersign config explain tls_url')
}
