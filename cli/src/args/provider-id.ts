import type { Countersign } from '@countersign/sdk'
import type { Context } from '../context.ts'

/** The provider that the key in use belongs to. A profile knows it only for its own key; otherwise the registry is asked. */
export const providerIdOf = async (context: Context, client: Countersign) => {
  const { provider_id } = context.profile.saved
  if (provider_id !== undefined && context.credential()?.source === 'profile') return provider_id
  return (await client.providers.me()).id
}
