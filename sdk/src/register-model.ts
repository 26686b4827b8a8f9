import { ConflictError } from './api-error.ts'
import { type APIPromise, toApiPromise } from './api-promise.ts'
import type { ExistingModel } from './contract/models.ts'
import type { Model, NewModel, RegisteredModel } from './methods.ts'
import type { RequestOptions } from './options.ts'

/** A registration has a name and an endpoint, each under one of two names. */
type Complete = ({ model_name: string } | { display_name: string }) & ({ api_endpoint: string } | { endpoint: string })

/** What `models.register` takes: the fields of the model, and an option of the client. */
export type ModelRegistration = NewModel & Complete & RegistrationOptions

/** The options of the client for `models.register`. */
export interface RegistrationOptions {
  /**
   * Accept an existing version with the same identifier, version and digest, so that a job can run again: the outcome then has
   * `created: false`. Another digest or version is still a `ConflictError`. With `force_new_version` it also finds versions that
   * are not the newest. Default: false.
   */
  ifNotExists?: boolean | undefined
}

/** What `models.register` returns. */
export interface RegistrationOutcome extends RegisteredModel {
  /** Whether this call registered the version. False: it existed (`ifNotExists`), and nothing changed. */
  created: boolean
}

type Register = (model: NewModel & Complete, options?: RequestOptions) => APIPromise<RegisteredModel>
type Get = (id: string, options?: RequestOptions) => APIPromise<Model>

/** `models.register` with `ifNotExists`. */
export const registerModelBy =
  (register: Register, get: Get) =>
  ({ ifNotExists, ...model }: ModelRegistration, options?: RequestOptions): APIPromise<RegistrationOutcome> =>
    toApiPromise(
      register(model, options)
        .withResponse()
        .then(
          // A proxy may answer with something else: leave that to the caller's checks.
          (answer) => ({ ...answer, data: answer.data && { ...answer.data, created: true } }),
          async (error) => {
            if (!ifNotExists || !isAboutSame(error, model)) throw error
            const { idempotencyKey: _, ...rest } = options ?? {}
            const answer = await get(error.existing.id, rest).withResponse()
            return { ...answer, data: outcomeOf(answer.data) }
          },
        ),
    )

/** Whether the registration was rejected because this version exists, with the same digest if the caller gave one. */
const isAboutSame = (error: unknown, model: NewModel): error is ConflictError & { existing: ExistingModel } => {
  if (!(error instanceof ConflictError) || error.existing === null) return false
  const { version, model_digest } = error.existing
  const digest = model.model_digest?.slice(-64).toLowerCase()
  return version === (model.version ?? '1.0.0') && (digest === undefined || model_digest?.slice(-64) === digest)
}

const outcomeOf = (model: Model): RegistrationOutcome => ({
  model_id: model.id,
  display_name: model.display_name,
  api_model_identifier: model.api_model_identifier,
  version: model.version,
  version_number: model.version_number,
  model_digest: model.model_digest,
  message: 'This version is registered already.',
  can_quick_edit: model.can_quick_edit,
  predecessor_id: model.predecessor_id,
  authorizations: { previous: 0, copied: 0 },
  created: false,
})
