import type { World } from './world.ts'

/** A company that has another's domain as its name. It states that domain as well, but has not proven it. */
export const createImpostor = async (world: World, domain: string) => {
  const impostor = await world.provider('mallory', { isVerified: false, website: `https://${domain}` })
  await impostor.client.providers.update(impostor.id, { company_name: domain })
  return impostor
}
