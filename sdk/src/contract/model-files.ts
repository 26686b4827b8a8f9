import { z } from 'zod'
import { pageLimit, paging, textOrNull } from './fields.ts'
import { isInside, isPrintable } from './file-name.ts'
import { limits } from './limits.ts'
import { invisibleCharacters } from './text.ts'

/** Whether a new list may have this name: invisible characters and marks of direction make two names look the same. */
export const isVisible = (name: string): boolean => name.replace(invisibleCharacters, '') === name

/** One file of a model. */
export const ModelFile = z.strictObject({
  /** Path inside the model, with `/`; for a single file, its own name. */
  name: z
    .string()
    .min(1)
    .max(1_024)
    .refine(
      (name) => isInside(name) && isPrintable(name),
      'Must be a path inside the model, with / and without control characters',
    ),
  /** In bytes. */
  size: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
  /** 64 hex characters. Input may begin with `sha256:`. */
  sha256: z
    .string()
    .regex(/^(sha256:)?[0-9a-f]{64}$/i, 'Must be 64 hex characters')
    .overwrite((value) => value.slice(-64).toLowerCase()),
})
export type ModelFile = z.infer<typeof ModelFile>

/** `ModelFile` as JSON Schema, because `ModelFiles` hides its items from zod. Not computed here, because browsers load this. */
export const modelFileJson = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 1_024 },
    size: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
    sha256: { type: 'string', pattern: '^(sha256:)?[0-9a-f]{64}$' },
  },
  required: ['name', 'size', 'sha256'],
  additionalProperties: false,
} as const

/**
 * Every file of a version, in the order its digest was made in: the order of the list, or else by code points of the names.
 * Parsing stops at the first invalid file, so that a long invalid list gives one error.
 */
export const ModelFiles = z
  .array(z.unknown())
  .min(1, 'A model has at least one file')
  .max(limits.modelFiles, `Must list at most ${limits.modelFiles} files`)
  .transform((list, context): ModelFile[] => {
    const files: ModelFile[] = []
    const names = new Set<string>()
    for (const [index, each] of list.entries()) {
      const { data, error } = ModelFile.safeParse(each)
      for (const { path, message } of error?.issues ?? [])
        context.addIssue({ code: 'custom', path: [index, ...path], message })
      if (!data) return z.NEVER
      const isTwice = names.has(data.name)
      if (isTwice || !isVisible(data.name)) {
        const message = isTwice ? 'Is listed twice' : 'Has invisible characters'
        context.addIssue({ code: 'custom', path: [index, 'name'], message })
        return z.NEVER
      }
      names.add(data.name)
      files.push(data)
    }
    return files
  })
  .meta({ type: 'array', items: modelFileJson }) as unknown as z.ZodType<ModelFile[], z.input<typeof ModelFile>[]>
export type ModelFiles = ModelFile[]

/** Larger pages than elsewhere: a version can have thousands of files. */
export const ModelFileQuery = z.strictObject({
  ...paging,
  limit: pageLimit(limits.maxFilePageSize, limits.maxPageSize),
  skip: z.coerce.number().int().min(0).max(limits.modelFiles).default(0),
})
export type ModelFileQuery = z.output<typeof ModelFileQuery>

/** A page of a version’s files. */
export const ModelFilePage = z.strictObject({ files: z.array(ModelFile), next_cursor: textOrNull })
