import { checkOwnProvider, invalidField, notFound, Refusal } from '@countersign/sdk/contract'
import type { Database } from '../db/engine.ts'
import type { Tx } from '../db/schema.ts'
import type { EventRecorder } from '../events/service.ts'
import type { Caller } from '../http/callers.ts'
import type { Upload } from '../http/upload.ts'
import type { NewId } from '../ids.ts'
import type { FetchImage } from '../outbound/image.ts'
import type { EncodeLogo } from './image.ts'
import { deleteLogos, findLogo, findShownLogo, insertLogo, setShownLogo } from './store.ts'

interface Deps {
  database: Database
  events: EventRecorder
  encode: EncodeLogo
  fetchImage: FetchImage
  publicUrl: string
  now: () => number
  newId: NewId
}

/** The file as it is shown; `null` removes it. */
export type NewLogo = Buffer | null

export const createLogoService = ({ database, events, encode, fetchImage, publicUrl, now, newId }: Deps) => {
  /** Joins the transaction that changes the provider. Each file has its own address, so that it can be cached forever. */
  const put = async (tx: Tx, { caller, file }: { caller: Caller; file: NewLogo }): Promise<string | null> => {
    const { provider_id } = caller
    const at = now()
    const shown = await findShownLogo(tx, provider_id)
    if (!shown) throw notFound()
    if (file === null && shown.logo_url === null) return null
    const id = file && newId('lgo')
    const logo_url = id && `${publicUrl}/logos/${id}.webp`
    await setShownLogo(tx, { id: provider_id, logo_id: id, logo_url, at })
    await deleteLogos(tx, provider_id)
    if (file && id) await insertLogo(tx, { provider_id, id, bytes: file, created_at: at })
    await events.record(tx, {
      provider_id,
      actor: caller.actor,
      action: file ? 'logo.uploaded' : 'logo.removed',
      subject: ['provider', provider_id],
      before: { logo_url: shown.logo_url },
      after: { logo_url },
    })
    return logo_url
  }

  return {
    put,

    async upload(caller: Caller, provider_id: string, { bytes }: Upload) {
      checkOwnProvider(caller, provider_id)
      const file = await encode(bytes, 'file')
      const logo_url = await database.transaction((tx) => put(tx, { caller, file }))
      return { logo_url: logo_url ?? '', message: 'Image uploaded' }
    },

    async remove(caller: Caller, provider_id: string) {
      checkOwnProvider(caller, provider_id)
      await database.transaction((tx) => put(tx, { caller, file: null }))
      return { message: 'Logo removed' }
    },

    /**
     * What the logo address in a profile means: nothing to do if it is absent or the current one, no logo if it is empty, else the image
     * found there. It makes a request, so it runs before any transaction.
     */
    async read(caller: Caller, logo_url: string | undefined): Promise<NewLogo | undefined> {
      if (logo_url === undefined) return undefined
      if (logo_url === '') return null
      const shown = await findShownLogo(database.read, caller.provider_id)
      if (shown?.logo_url === logo_url) return undefined
      const answer = await fetchImage(logo_url)
      if (Buffer.isBuffer(answer)) return encode(answer, 'logo_url')
      throw imageRefusals[answer]()
    },

    find: async (id: string): Promise<Buffer | undefined> => (await findLogo(database.read, id))?.bytes,
  }
}

const imageRefusals = {
  not_https: () => invalidField('logo_url', 'Must begin with https://'),
  too_large: () => invalidField('logo_url', 'Image must be smaller than 5MB'),
  refused: () => new Refusal('upstream_refused', 'The address of the logo did not answer with an image.'),
  unavailable: () => new Refusal('upstream_unavailable', 'The address of the logo could not be reached.'),
} as const satisfies Record<string, () => Refusal>

export type LogoService = ReturnType<typeof createLogoService>
