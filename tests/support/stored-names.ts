import type { ProviderActor } from './actors.ts'
import type { World } from './world.ts'

/** A model with a name that no call accepts, as from before there were rules for names. */
export const storeModel = async (
  { database }: World,
  { registerModel }: ProviderActor,
  names: { display_name: string; version?: string; family_name?: string },
  card: Parameters<ProviderActor['registerModel']>[0] = {},
) => {
  const id = await registerModel(card)
  await database.transaction((tx) => tx.updateTable('models').set(names).where('id', '=', id).execute())
  return id
}

/** A company name that no call accepts, from the same time. */
export const storeCompanyName = ({ database }: World, id: string, company_name: string) =>
  database.transaction((tx) => tx.updateTable('providers').set({ company_name }).where('id', '=', id).execute())
