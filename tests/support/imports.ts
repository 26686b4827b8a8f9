import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'rolldown/utils'

export const root = fileURLToPath(new URL('../../', import.meta.url))

export interface Import {
  /** The importing file, from the root of the repository. */
  from: string
  /** A file from the root of the repository, or a package as written. */
  to: string
  /** The import is erased at compile time. */
  isTypeOnly: boolean
}

/** TypeScript files below a folder, except tests. */
export const sourceFiles = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name) && !/(^|\/)(node_modules|dist)\//.test(name))
    .map((name) => join(folder, name))

/** Every import and re-export of a file, dynamic ones and `import('…')` types too. */
export const importsOf = (file: string): Import[] => {
  const known = read.get(file) ?? parseImports(file, readFileSync(join(root, file), 'utf8'))
  read.set(file, known)
  return known
}

/** Files that were parsed before. */
const read = new Map<string, Import[]>()

export const parseImports = (file: string, text: string): Import[] => {
  const { module, errors } = parseSync(file, text, { lang: file.endsWith('x') ? 'tsx' : 'ts' })
  if (errors.length > 0) throw new Error(`${file} does not parse: ${errors[0]?.message}`)
  const row = (specifier: string, isTypeOnly: boolean): Import => ({
    from: file,
    to: resolved(file, specifier),
    isTypeOnly,
  })
  return [
    ...module.staticImports.map(({ moduleRequest, entries }) =>
      row(moduleRequest.value, entries.length > 0 && entries.every(({ isType }) => isType)),
    ),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, isType }) => (moduleRequest ? [row(moduleRequest.value, isType)] : [])),
    ),
    ...module.dynamicImports.map(({ moduleRequest }) => {
      const written = text.slice(moduleRequest.start, moduleRequest.end)
      // An import that cannot be read here cannot be checked, so it is forbidden.
      return row(/^(['"`])([^$]*)\1$/.exec(written)?.[2] ?? `(computed: ${written})`, false)
    }),
    ...[...text.matchAll(/\bimport\('([^']+)'\)\.\w+\b(?!\()/g)].map(([, specifier]) => row(specifier ?? '', true)),
  ]
}

/** The alias in web/package.json; every language has the same files. */
const messages = /^#messages\//

const resolved = (file: string, specifier: string) =>
  specifier.startsWith('.')
    ? relative(root, join(root, dirname(file), specifier))
    : specifier.replace(messages, 'web/src/messages/en/')
