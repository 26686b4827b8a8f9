import { Failure, usage } from '../failure.ts'

export const filterExample = '--jq ".models[].id"'

/** Applies a filter to a value: one line for each result, texts without quotes. */
export type Filter = (value: unknown) => Promise<string>

/**
 * Loads jq and compiles the filter, before the command does anything. jq is an optional dependency: it is larger than everything else
 * here together.
 */
export const compileFilter = async (filter: string): Promise<Filter> => {
  const { raw } = await import('jq-wasm').catch((cause: unknown) => {
    throw new Failure(
      'jq_missing',
      2,
      '--jq needs the package jq-wasm',
      'Run: npm install --global jq-wasm, or pipe --json to jq',
      {
        cause,
      },
    )
  })
  const apply: Filter = async (value) => {
    try {
      return await raw(JSON.stringify(value), filter, ['-r', '-c'])
    } catch (error) {
      throw usage(`--jq: ${reasonOf(error)}`, `For example: ${filterExample}`)
    }
  }
  // Nothing is evaluated: only a filter that jq cannot read fails.
  await raw('null', `empty | (${filter}\n)`, []).catch((error: unknown) => {
    throw usage(`--jq: ${reasonOf(error)}`, `For example: ${filterExample}`)
  })
  return apply
}

const reasonOf = (error: unknown) =>
  (error instanceof Error ? error.message : String(error))
    .replace(/^Failed to execute raw query: /, '')
    .replace(/^jq: (error: |1 compile error)?/, '')
    // The rest is about shells, and about lines of the program around the filter.
    .replace(/( \(Unix shell quoting issues\?\))? at <(top-level|unknown)>.*/s, '')
    .split('\n')[0]
