export const modelPathErrors = {
  MODEL_BROKEN_LINK: 'The link leads nowhere',
  MODEL_EMPTY: 'It contains no files',
  MODEL_LOOP: 'The link leads back to a folder that it lies in',
  MODEL_NAME: 'The name cannot be shown',
  MODEL_SPECIAL: 'Neither a file nor a folder',
  MODEL_SYMLINK: 'A symbolic link',
  MODEL_TOO_MANY_FILES: 'Too many files',
} as const

/** Why a path cannot be hashed. */
export type ModelPathErrorCode = keyof typeof modelPathErrors

/** Why a path cannot be hashed as a model. */
export class ModelPathError extends Error {
  /** Name of the class. */
  override name = 'ModelPathError'
  /** Why the path cannot be hashed. */
  readonly code: ModelPathErrorCode
  /** The path at fault, with unprintable characters escaped. */
  readonly path: string

  constructor(code: ModelPathErrorCode, path: string, detail: string = modelPathErrors[code]) {
    super(`${detail}: ${path}`)
    this.code = code
    this.path = path
  }
}
