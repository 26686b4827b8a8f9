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
      throw usage(`--jq: ${reasonOf(error)}`, `For example: --jq "${exampleFor(value)}"`)
    }
  }
  // Without an input, nothing is evaluated: only a filter that jq cannot read fails.
  await raw('', filter, []).catch((error: unknown) => {
    throw usage(`--jq: ${reasonOf(error)}`, 'See what there is to filter with --json')
  })
  return apply
}

/** A filter that finds something in this value. */
const exampleFor = (value: unknown): string => {
  if (Array.isArray(value)) return `.[]${fieldOf(value[0])}`
  if (typeof value !== 'object' || value === null) return '.'
  const lists = Object.entries(value).filter(([name, list]) => Array.isArray(list) && isPlain(name))
  const [[name, list] = ['', []], ...others] = lists
  return name === '' || others.length > 0 ? 'keys' : `.${name}[]${fieldOf(list[0])}`
}

const isPlain = (name: string) => /^[a-z_][a-z0-9_]*$/i.test(name)

/** The ID of an item, or its first field. */
const fieldOf = (item: unknown): string => {
  const names = typeof item === 'object' && item !== null && !Array.isArray(item) ? Object.keys(item) : []
  const name = ['id', ...names.filter((each) => each.endsWith('_id')), ...names].find((each) => names.includes(each))
  return name !== undefined && isPlain(name) ? `.${name}` : ''
}

const reasonOf = (error: unknown) =>
  (error instanceof Error ? error.message : String(error))
    .replace(/^Failed to execute raw query: /, '')
    .replace(/^jq: (error: |1 compile error)?/, '')
    // The rest is about shells, and about lines of the program around the filter.
    .replace(/( \(Unix shell quoting issues\?\))? at <(top-level|unknown)>.*/s, '')
    .split('\n')[0]
    ?.replace(/^syntax error, unexpected end of file.*/, 'The filter ends too early')
    .replace('INVALID_CHARACTER', 'character')
