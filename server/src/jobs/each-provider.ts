import type { Database } from '../db/engine.ts'

const providersAtOnce = 200

/** Does some work for each provider, one after the other. */
export const forEachProvider = async (
  database: Database,
  signal: AbortSignal,
  work: (provider_id: string) => Promise<void>,
) => {
  let after = ''
  while (!signal.aborted) {
    const providers = await database.read
      .selectFrom('providers')
      .select('id')
      .where('id', '>', after)
      .orderBy('id')
      .limit(providersAtOnce)
      .execute()
    for (const { id } of providers) {
      if (signal.aborted) return
      await work(id)
    }
    after = providers.at(-1)?.id ?? ''
    if (providers.length < providersAtOnce) return
  }
}
