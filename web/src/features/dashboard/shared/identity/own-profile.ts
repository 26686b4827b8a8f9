import type { Provider, UpdatedProvider } from '@countersign/sdk/contract'
import { mutate } from 'swr'
import { client } from '../../../../data/client.ts'
import { ownProviderKey } from '../../../../data/provider.ts'

/* ---- changing the provider ---- */

type Change = Parameters<typeof client.providers.update>[1]

const take = (changed: UpdatedProvider) => {
  const { message: _, domain_verification_updated: __, ...provider } = changed
  return mutate((key) => Array.isArray(key) && key[0] === ownProviderKey, provider, { revalidate: false })
}

/** Changes only the given fields. Returns the updated provider, which is shown from then on. */
export const changeProvider = async (id: string, change: Change, ifMatch?: string) => {
  const changed = await client.providers.update(id, change, ifMatch ? { headers: { 'If-Match': ifMatch } } : {})
  await take(changed)
  return changed
}

/** The provider as it is now; it is shown from then on. */
export const readProvider = async () => {
  const provider = await client.providers.me()
  await mutate((key) => Array.isArray(key) && key[0] === ownProviderKey, provider, { revalidate: false })
  return provider
}

/** Shown immediately, and reverted if it fails. */
export const setListed = async (id: string, is_listed: boolean) => {
  const isOwn = (key: unknown) => Array.isArray(key) && key[0] === ownProviderKey
  const show = (isListed: boolean) =>
    mutate(isOwn, (before?: Provider) => before && { ...before, is_listed: isListed, is_public: isListed }, {
      revalidate: false,
    })
  await show(is_listed)
  try {
    const changed = await client.providers.setVisibility(id, { is_listed })
    await take(changed)
    return changed
  } catch (failure) {
    await show(!is_listed)
    throw failure
  }
}

export const uploadLogo = (id: string, picture: Blob) => client.providers.uploadLogo(id, picture)

export const removeLogo = (id: string) => client.providers.deleteLogo(id)

/* ---- proving who it is ---- */

/** Emails the link and code. Returns the confirmation code for other devices. */
export const sendOwnVerification = async () => (await client.auth.sendVerification({})).confirmation_code

export const verifyOwnEmail = (verification_code: string) => client.auth.verifyEmail({ verification_code })

export const checkOwnDomain = (method: 'dns' | 'file') => client.providers.verifyDomain({ method })
