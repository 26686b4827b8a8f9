import type { Context } from '../../context.ts'
import { readHubEndpoint } from '../../hub/address.ts'
import { fetchFor } from '../../registry/connect.ts'
import { fail, type Look, ok, reasonOf, skipped, warn } from './finding.ts'

/** Whether the model hub accepts the token. Makes no request without one. */
export const lookAtHubToken = async ({ env, fetch: own, signal, setting }: Context): Promise<Look> => {
  const token = env.HF_TOKEN?.trim()
  if (!token) return skipped('No HF_TOKEN')
  try {
    const endpoint = readHubEndpoint(env)
    const call = own ?? (await fetchFor({ url: endpoint, env, caFile: undefined, cwd: '' })) ?? fetch
    const limit = AbortSignal.timeout(Number(setting('timeout')) * 1_000)
    const headers = { authorization: `Bearer ${token}`, 'user-agent': 'countersign-cli' }
    const response = await call(`${endpoint}/api/whoami-v2`, {
      headers,
      redirect: 'manual',
      signal: AbortSignal.any([signal, limit]),
    })
    await response.body?.cancel()
    if (response.ok) return ok(`${endpoint} accepts the token`)
    if (response.status === 401 || response.status === 403)
      return fail(4, `${endpoint} rejects HF_TOKEN`, 'hf auth login')
    return warn(`${endpoint} answers ${response.status} to the token`, 'countersign help environment')
  } catch (error) {
    if (signal.aborted) throw signal.reason
    return warn(`Could not reach the model hub: ${reasonOf(error)}`, 'countersign help environment')
  }
}
