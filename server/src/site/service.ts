import { type LinkErrorCode, ModelId, ProviderId, type PublicProvider, Refusal } from '@countersign/sdk/contract'
import type { Database } from '../db/engine.ts'
import type { ModelService } from '../models/service.ts'
import type { ProviderService } from '../providers/service.ts'
import type { VerificationService } from '../verifications/service.ts'
import type { Entity } from './entities.ts'
import type { ModelCard } from './heads.ts'
import type { LinkAnswer, LinkRefusal } from './link-summary.ts'
import { addresses } from './rules.ts'
import type { SitemapFiles, SitemapPlace } from './sitemap.ts'
import { endOfModels, endOfProviders, listModels, listProviders, type ModelPlace } from './store.ts'

interface Deps {
  database: Database
  models: Pick<ModelService, 'get'>
  providers: Pick<ProviderService, 'get'>
  verifications: Pick<VerificationService, 'get'>
  now: () => number
  /** Entries of one file of the sitemap. Default: 10,000, which is a megabyte. */
  sitemapLength?: number | undefined
}

const cacheMs = 10 * 60_000

const orNothing = async <Found>(find: Promise<Found>): Promise<Found | undefined> => {
  try {
    return await find
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not_found') return undefined
    throw error
  }
}

const isAboutLink = (code: string): code is LinkErrorCode => code.startsWith('link_')

const refusalOf = (code: LinkErrorCode, { message, extensions }: Refusal): LinkRefusal => {
  // What the service of links adds to every rejected link.
  const { reason = null, change = null, checks = [], verification = null } = extensions as Partial<LinkRefusal>
  return { code, reason, change, checks, verification, detail: message }
}

/** The cursors between consecutive pages. */
const endsOf = async <Place>(findEnd: (after: Place | undefined) => Promise<Place | undefined>) => {
  const ends: (Place | undefined)[] = [undefined]
  for (let end = await findEnd(undefined); end !== undefined; end = await findEnd(end)) ends.push(end)
  return ends
}

/** The content of the console's pages before their scripts run, as an anonymous visitor may see it. */
export const createSiteService = ({
  database,
  models,
  providers,
  verifications,
  now,
  sitemapLength = 10_000,
}: Deps) => {
  let cached: { files: Promise<SitemapFiles>; until: number } | undefined

  const findFiles = async (): Promise<SitemapFiles> => ({
    providers: await endsOf<string>((after) => endOfProviders(database.read, after, sitemapLength)),
    models: await endsOf<ModelPlace>((after) => endOfModels(database.read, after, sitemapLength)),
  })

  const findProvider = async (id: string): Promise<PublicProvider | undefined> =>
    ProviderId.safeParse(id).success ? orNothing(providers.get(id)) : undefined

  const findModel = async (id: string): Promise<ModelCard | undefined> => {
    const model = ModelId.safeParse(id).success ? await orNothing(models.get(undefined, id)) : undefined
    const provider = model && (await findProvider(model.provider_id))
    return provider && { model, provider }
  }

  return {
    /** Undefined for private entries as for missing ones. */
    async find(about: Entity['about'], id: string): Promise<Entity | undefined> {
      if (about === 'model') {
        const card = await findModel(id)
        return card && { about, card }
      }
      const provider = await findProvider(id)
      return provider && { about, provider }
    },

    /** The API's answer about a link at this moment; undefined if it could not be read. */
    async verdictOf(token: string): Promise<LinkAnswer | undefined> {
      try {
        return { record: await verifications.get(token) }
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        return isAboutLink(error.code) ? { refusal: refusalOf(error.code, error) } : undefined
      }
    },

    /** Cached for ten minutes: counting a million models takes a moment. */
    sitemapFiles(): Promise<SitemapFiles> {
      if (cached && cached.until > now()) return cached.files
      const files = findFiles()
      cached = { files, until: now() + cacheMs }
      files.catch(() => {
        cached = undefined
      })
      return files
    },

    /** The pages in one file of the sitemap. */
    async sitemapEntries(place: SitemapPlace): Promise<string[]> {
      if (place.of === 'site')
        return addresses.filter(({ keeping, about }) => keeping !== 'secret' && !about).map(({ path }) => path)
      if (place.of === 'providers')
        return (await listProviders(database.read, place.after, sitemapLength, now())).map(
          ({ id }) => `/providers/${id}`,
        )
      return (await listModels(database.read, place.after, sitemapLength, now())).map(({ id }) => `/models/${id}`)
    },
  }
}

export type SiteService = ReturnType<typeof createSiteService>
