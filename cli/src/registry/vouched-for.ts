import { createHash, webcrypto } from 'node:crypto'
import { ApiError, type Countersign } from '@countersign/sdk'
import { isId, tokenExchange } from '@countersign/sdk/contract'
import type { Flags } from '../args/command.ts'
import type { Context } from '../context.ts'
import { Failure, usage } from '../failure.ts'
import { shellWord } from '../render/shell-word.ts'
import { readJobToken } from './job-token.ts'

/** A new session begins this long before the token of the last one expires. */
const earlyMs = 300_000

interface Session {
  client: Countersign
  expiresAt: number
}

/** The same client until its token is about to expire, then that of a new session. If connecting fails, the next call tries again. */
export const renewed = (connect: () => Promise<Session>, now: () => number) => {
  let session: Promise<Session> | undefined
  return async (): Promise<Countersign> => {
    const last = session
    const found = await last?.catch(() => undefined)
    if (found !== undefined && now() < found.expiresAt - earlyMs) return found.client
    // Another call may have connected meanwhile.
    const next = session !== undefined && session !== last ? session : connect()
    session = next
    return (await next).client
  }
}

/** A client for an hour as a deployment, for which the platform's token vouches. Nothing is stored. */
export const connectVouchedFor = async (context: Context, given: string, flags: Flags): Promise<Session> => {
  const provider_id = flags.text('provider') ?? context.env.COUNTERSIGN_PROVIDER_ID ?? ''
  if (!isId('prv', provider_id))
    throw usage(
      provider_id === '' ? 'Missing: --provider' : `${JSON.stringify(provider_id)} is not a provider ID`,
      'Set --provider or COUNTERSIGN_PROVIDER_ID to the provider’s ID, prv_…. It is not a secret; countersign whoami prints it',
    )
  const { subtle } = webcrypto
  const key = (await subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, [
    'sign',
    'verify',
  ])) as CryptoKeyPair
  const spki = Buffer.from(await subtle.exportKey('spki', key.publicKey))
  const audience = new URL(context.setting('api_url') ?? '').origin
  const subject_token =
    given === 'env'
      ? // For this key: the token is useless with another.
        await readJobToken(context, `${audience}/keys/${createHash('sha256').update(spki).digest('hex')}`)
      : Buffer.from(await context.files.read(given))
          .toString('utf8')
          .trim()
  const client = await context.connect({ key: 'none' })
  const begun = context.now().getTime()
  const { access_token, expires_in } = await client.workloads
    .exchange({
      grant_type: tokenExchange.grantType,
      subject_token,
      subject_token_type: tokenExchange.jwt,
      provider_id,
      public_key: spki.toString('base64'),
    })
    .catch((error: unknown) => {
      throw explained(error, subject_token, audience)
    })
  const { requestSigner } = await import('@countersign/sdk/signer')
  const sign = (send: typeof fetch) => requestSigner({ key, fetch: send, now: () => context.now().getTime() })
  return { client: await context.connect({ apiKey: access_token, sign }), expiresAt: begun + expires_in * 1_000 }
}

/** Says how the owner can trust the token, with what it says. */
const explained = (error: unknown, token: string, audience: string) => {
  if (!(error instanceof ApiError) || error.code !== 'workload_mismatch') return error
  const { iss, sub, aud } = claimsOf(token)
  const hint =
    error.problem?.claim === 'aud'
      ? `The token is for ${[aud]
          .flat()
          .join(', ')
          .replace(/\/keys\/\w+$/, '')}. Request one for ${audience}, or trust it with --audience`
      : `If this server is yours, trust it from your own machine: countersign deployments trust add --issuer ${shellWord(iss)} --subject ${shellWord(sub)} --model MODEL`
  return new Failure(error.code, 4, error.detail, hint, { cause: error })
}

const claimsOf = (token: string): Record<string, unknown> => {
  try {
    return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'))
  } catch {
    return {}
  }
}
