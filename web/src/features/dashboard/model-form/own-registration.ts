import { ConflictError } from '@countersign/sdk'
import type { BundleRecord, ExistingModel, Model, ModelEdit, NewModel, RegisteredModel, UploadedBundle } from '@countersign/sdk/contract'
import { mutate } from 'swr'
import type { z } from 'zod'
import { client } from '../../../data/client.ts'

/** The version that stands in the way of a registration, where one does. */
export interface Clash {
  existing: ExistingModel
  /** The version itself is there already; else its identifier is. */
  isSameVersion: boolean
}

export const readClash = (failure: unknown): Clash | undefined => {
  if (!(failure instanceof ConflictError) || failure.existing === null) return undefined
  return { existing: failure.existing, isSameVersion: failure.code === 'version_exists' }
}

export const registerModel = (input: z.input<typeof NewModel>): PromiseLike<RegisteredModel> => client.models.register(input)

export const quickEditModel = async (id: string, edit: z.input<typeof ModelEdit>): Promise<Model> => {
  const model = await client.models.quickEdit(id, edit)
  void mutate((key) => Array.isArray(key) && key[0] === 'model' && key[1] === id)
  return model
}

export const uploadBundle = (id: string, bundle: UploadedBundle): PromiseLike<BundleRecord> => client.bundles.upload(id, bundle)

/** What reads a bundle's file comes with the first one. */
export const readBundle = async (file: File) => (await import('./read-bundle-file.ts')).readBundleFile(file)
