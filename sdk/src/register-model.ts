import { type APIPromise, toApiPromise } from './api-promise.ts'
import type { ExistingModel } from './contract/models.ts'
import { haveSameFiles, hexOf, maxFilePageSize } from './contract/same-files.ts'
import type { Model, ModelMethods, NewModel, RegisteredModel } from './methods.ts'
import type { RequestOptions } from './options.ts'

/** A registration has a name and an endpoint, each under one of two names. */
type Complete = ({ model_name: string } | { display_name: string }) & ({ api_endpoint: string } | { endpoint: string })

/** What `models.register` takes: the fields of the model, and an option of the client. */
export type ModelRegistration = NewModel & Complete & RegistrationOptions

/** The options of the client for `models.register`. */
export interface RegistrationOptions {
  /**
   * Accept an existing version with the same identifier, version, digest and files, so that a job can run again: the outcome then has
   * `created: false`. Another digest or version is still a `ConflictError`, as are a version that was withdrawn or whose signature is invalid,
   * other file names, or none to compare `model_files` with. An `idempotencyKey` is not needed, and not used. With `force_new_version` it
   * also finds versions that are not the newest. Default: false.
   */
  ifNotExists?: boolean | undefined
}

/** What `models.register` returns. */
export interface RegistrationOutcome extends RegisteredModel {
  /** Whether this call registered the version. False: it existed (`ifNotExists`), and nothing changed. */
  created: boolean
}

type Register = (model: NewModel & Complete, options?: RequestOptions) => APIPromise<RegisteredModel>

/** `models.register` with `ifNotExists`. */
export const registerModelBy =
  ({ register, get, files }: Pick<ModelMethods, 'get' | 'files'> & { register: Register }) =>
  ({ ifNotExists, ...model }: ModelRegistration, options?: RequestOptions): APIPromise<RegistrationOutcome> => {
    const fresh = { ...options, idempotencyKey: undefined }
    return toApiPromise(
      // A repeated key would return the first answer, even if the version was withdrawn since.
      register(model, ifNotExists ? fresh : options)
        .withResponse()
        .then(
          // A proxy may answer with something else: leave that to the caller's checks.
          (answer) => ({ ...answer, data: answer.data && { ...answer.data, created: true } }),
          async (error: Error & { existing?: ExistingModel | null }) => {
            const { existing } = error
            const { version = '1.0.0', model_digest: digest, model_files: wanted } = model
            const isSame =
              ifNotExists &&
              existing?.version === version &&
              hexOf(digest ?? null) === hexOf(existing.model_digest) &&
              (!wanted ||
                haveSameFiles(await files(existing.id, { limit: maxFilePageSize }, fresh).toArray(), wanted, digest))
            if (!isSame) throw error
            const answer = await get(existing.id, fresh).withResponse()
            if (answer.data.archived_at || answer.data.bundle_status === 'invalid') throw error
            return { ...answer, data: outcomeOf(answer.data) }
          },
        ),
    )
  }

/** With the other fields of the version, because naming each again takes 70 bytes in browsers. */
const outcomeOf = (model: Model): RegistrationOutcome => ({
  ...model,
  model_id: model.id,
  message: 'Model already registered',
  authorizations: { previous: 0, copied: 0 },
  created: false,
})
