import { ConflictError, type ModelRegistration } from '@countersign/sdk'
import type {
  BundleRecord,
  ExistingModel,
  Model,
  ModelEdit,
  NewModel,
  RegisteredModel,
  UploadedBundle,
} from '@countersign/sdk/contract'
import { mutate } from 'swr'
import type { z } from 'zod'
import { client } from '../../../data/client.ts'

/** The existing version that conflicts with a registration, if any. */
export interface Clash {
  existing: ExistingModel
  /** Whether the version itself exists, not only its identifier. */
  isSameVersion: boolean
}

export const readClash = (failure: unknown): Clash | undefined => {
  if (!(failure instanceof ConflictError) || failure.existing === null) return undefined
  return { existing: failure.existing, isSameVersion: failure.code === 'version_exists' }
}

export const registerModel = (input: z.input<typeof NewModel>): PromiseLike<RegisteredModel> =>
  client.models.register(input as ModelRegistration)

export const quickEditModel = async (id: string, edit: z.input<typeof ModelEdit>, ifMatch: string): Promise<Model> => {
  const model = await client.models.quickEdit(id, edit, { headers: { 'If-Match': ifMatch } })
  void mutate((key) => Array.isArray(key) && key[0] === 'model' && key[1] === id)
  return model
}

export const readModel = (id: string): PromiseLike<Model> => client.models.get(id)

export const uploadBundle = (id: string, bundle: UploadedBundle): PromiseLike<BundleRecord> =>
  client.bundles.upload(id, bundle)

/** Loads the bundle parser with the first bundle. */
export const readBundle = async (file: File) => (await import('./read-bundle-file.ts')).readBundleFile(file)
