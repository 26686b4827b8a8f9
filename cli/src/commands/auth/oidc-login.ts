import { ApiError } from '@countersign/sdk'
import { isId, tokenExchange } from '@countersign/sdk/contract'
import type { Flags } from '../../args/command.ts'
import type { Context } from '../../context.ts'
import { Failure, usage } from '../../failure.ts'
import { readJobToken } from '../../registry/job-token.ts'
import { printRequest } from '../../registry/request.ts'
import { exitOf } from '../../render/report.ts'
import { shownTime } from '../../render/shown-time.ts'
import { saved } from './auth.ts'

/** Signs in as the current CI job: exchanges its identity for a token valid for 15 minutes, without any stored key. */
export const logInAsJob = async (context: Context, flags: Flags): Promise<void> => {
  const provider_id = flags.text('provider') ?? context.env.COUNTERSIGN_PROVIDER_ID ?? ''
  if (!isId('prv', provider_id))
    throw usage(
      provider_id === ''
        ? 'Missing: --provider'
        : `${JSON.stringify(provider_id)} is not a provider ID; provider IDs are prv_ and 26 characters`,
      'Set --provider or COUNTERSIGN_PROVIDER_ID to the provider’s ID, prv_…. It is not a secret; countersign whoami prints it',
    )
  const audience = flags.text('audience') ?? new URL(context.setting('api_url') ?? '').origin
  const request = { grant_type: tokenExchange.grantType, subject_token_type: tokenExchange.idToken, provider_id }
  if (context.isDryRun) return printRequest(context, 'publishers', 'exchange', {}, { ...request, subject_token: '…' })
  const client = await context.connect({ key: 'none' })
  const subject_token = await readJobToken(context, audience)
  const exchanged = await client.publishers.exchange({ ...request, subject_token }).catch(namingToken(context))
  const expires_at = new Date(context.now().getTime() + exchanged.expires_in * 1_000).toISOString()
  const { publisher_id, access_token } = exchanged
  await context.profile.save({
    ...saved(context, access_token),
    is_only_copy: undefined,
    key_id: undefined,
    company_name: undefined,
    provider_id,
    publisher_id,
    expires_at,
  })
  const { name: profile, path } = context.profile
  context.out.print({
    value: {
      logged_in: true,
      profile,
      api_url: context.setting('api_url'),
      provider_id,
      publisher_id,
      scope: exchanged.scope,
      expires_at,
      access_token,
    },
    // The registry never shows it again.
    ids: [access_token],
    text: () => `Signed in as a CI job of ${provider_id} (publisher ${publisher_id}) until ${shownTime(expires_at)}`,
  })
  context.out.say(`The token is in ${path}. It can only publish models and bundles, and cannot be renewed`)
}

/** Someone who set the variable by hand may have set something else. */
const namingToken =
  ({ env }: Context) =>
  (error: unknown) => {
    const isOwn = error instanceof ApiError && error.code === 'identity_token_invalid' && env.COUNTERSIGN_ID_TOKEN
    if (!isOwn) throw error
    throw new Failure(
      error.code,
      exitOf(error.code, error.status),
      error.detail,
      'The token is from COUNTERSIGN_ID_TOKEN',
      {
        cause: error,
      },
    )
  }
