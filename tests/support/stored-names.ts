import type { ProviderActor } from './actors.ts'
import type { World } from './world.ts'

/** A model with a name that no call takes, as one from before there were rules for names. */
export const storeModel = async (
  { database }: World,
  { registerModel }: ProviderActor,
  names: { display_name: string; version?: string },
) => {
  const id = await registerModel()
  await database.transaction((tx) => tx.updateTable('models').set(names).where('id', '=', id).execute())
  return id
}
