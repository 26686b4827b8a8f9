import type { Context } from '../context.ts'
import { Failure, missingCredentials } from '../failure.ts'
import { fetchFor } from './connect.ts'

const noToken = () =>
  missingCredentials(
    'No CI job identity found',
    'In GitHub Actions, give the job permissions: id-token: write. In GitLab, give it id_tokens: COUNTERSIGN_ID_TOKEN with the registry as aud. Elsewhere, set COUNTERSIGN_ID_TOKEN',
  )

/** Gets the CI service's token that identifies the job, for one audience. */
export const readJobToken = async (
  context: Pick<Context, 'env' | 'fetch' | 'setting' | 'signal'>,
  audience: string,
): Promise<string> => {
  const { env } = context
  const given = env.COUNTERSIGN_ID_TOKEN?.trim()
  if (given) return given
  const { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: bearer } = env
  if (!url || !bearer || !URL.canParse(url)) throw noToken()
  const address = new URL(url)
  address.searchParams.set('audience', audience)
  const value = await askRunner(context, address.href, bearer)
  if (typeof value !== 'string' || value === '') throw unreadable()
  return value
}

const unreadable = (cause?: unknown) =>
  new Failure(
    'network',
    8,
    'GitHub Actions did not issue a token for this job',
    'Run the job again, or check the status of GitHub Actions',
    { cause },
  )

const askRunner = async (
  { env, fetch: given, setting, signal }: Parameters<typeof readJobToken>[0],
  url: string,
  bearer: string,
) => {
  const call = given ?? (await fetchFor({ url, env, caFile: undefined, cwd: '.' })) ?? fetch
  const timeout = AbortSignal.timeout(Number(setting('timeout')) * 1_000)
  // The cause could contain the bearer token.
  const reply = await call(url, {
    headers: { Authorization: `bearer ${bearer}` },
    signal: AbortSignal.any([signal, timeout]),
  }).catch(() => {
    throw unreadable()
  })
  if (!reply.ok) throw unreadable()
  const answer: unknown = await reply.json().catch(() => undefined)
  return typeof answer === 'object' && answer !== null && 'value' in answer ? answer.value : undefined
}
