import { ApiError } from '@countersign/sdk'
import type { Flags, OptionRow } from '../args/command.ts'
import { Failure, usage } from '../failure.ts'
import { shellWord } from '../render/shell-word.ts'

export const ifMatchOption = [
  '--if-match <etag>',
  'save only if the record still has this ETag, which show prints; otherwise exit 6',
  'text',
] as const satisfies OptionRow

/** The headers of --if-match. Quotes around an ETag may be omitted, because shells remove them. */
export const ifMatchHeaders = (flags: Flags): Record<string, string> | undefined => {
  const given = flags.text('ifMatch')
  if (given === undefined) return undefined
  const tag = given.trim()
  if (tag !== '*' && !/^"?[\w-]+"?$/.test(tag))
    throw usage(
      `--if-match must be the ETag of a record, not ${JSON.stringify(given)}`,
      'models show, incidents show and providers show print it',
    )
  return { 'If-Match': tag === '*' ? tag : `"${tag.replaceAll('"', '')}"` }
}

interface Answered<T> {
  withResponse(): Promise<{ data: T; response: Response }>
}

/** A record with its ETag, without quotes; null if the caller may not edit it. */
export const readWithTag = async <T>(answer: Answered<T>): Promise<{ record: T; etag: string | null }> => {
  const { data, response } = await answer.withResponse()
  return { record: data, etag: response.headers.get('ETag')?.replace(/^W\/|"/g, '') ?? null }
}

/** Says how to go on when someone else has changed the record; `show` is the command that prints it. */
export const namingLostRace =
  (id: string, show: string) =>
  (error: unknown): never => {
    if (!(error instanceof ApiError) || error.code !== 'changed_elsewhere') throw error
    throw new Failure(
      error.code,
      6,
      error.detail,
      `See who changed it: countersign events list --id ${shellWord(id)}. Then read it again and use its new ETag: countersign ${show}`,
      { cause: error },
    )
  }
