import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { API, type Project, type Symbol as TypeSymbol } from 'typescript/unstable/sync'

/** A documented name: an export, or a member of one. */
export interface Documented {
  name: string
  kind: 'class' | 'interface' | 'type' | 'function' | 'value'
  /** The text of its comment before the tags. */
  doc: string
  /** The tags of its comment, such as `returns`. */
  tags: { name: string; text: string }[]
  /** Its type: a function's signature, a member as declared, or what a type stands for. */
  type: string
  /** The file that declares it, relative to the package. */
  file: string
  members: Documented[]
}

/** What programs import, such as `@countersign/sdk/verify`. */
export interface EntryPoint {
  name: string
  exports: Documented[]
}

/** Which files to read: the published declarations, or the sources. */
type Target = 'types' | '@countersign/source'

const entriesOf = (folder: string, target: Target): { name: string; file: string }[] => {
  const { name, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    name: string
    exports: Record<string, string | Record<Target, string>>
  }
  return Object.entries(exports).flatMap(([path, conditions]) =>
    typeof conditions === 'string' ? [] : [{ name: name + path.slice(1), file: join(folder, conditions[target]) }],
  )
}

/** Every export of the package in `folder`, as TypeScript reads it. The project must include its files. */
export const readSurface = (folder: string, tsconfig: string, target: Target): EntryPoint[] => {
  const api = new API({ cwd: folder })
  try {
    const project = api.updateSnapshot({ openProject: tsconfig }).getProject(tsconfig)
    if (!project) throw new Error(`${tsconfig} is not a project`)
    return entriesOf(folder, target).map(({ name, file }) => ({ name, exports: exportsOf(project, folder, file) }))
  } finally {
    api.close()
  }
}

/** `SymbolFlags` of TypeScript. */
const flags = { variable: 3, class: 32, interface: 64, typeParameter: 262_144, typeAlias: 524_288, alias: 2_097_152 }
/** `NoTruncation` of its `NodeBuilderFlags`. */
const noTruncation = 1
/** The same, and `InTypeAlias`. */
const inTypeAlias = 8_388_609

const exportsOf = (project: Project, folder: string, file: string): Documented[] => {
  const { program, checker } = project
  const source = program.getSourceFile(file)
  const module = source && checker.getSymbolAtLocation(source)
  if (!module) throw new Error(`${file} is not a module of the project`)
  return checker
    .getExportsOfModule(module)
    .map((exported) => {
      const symbol = exported.flags & flags.alias ? checker.getAliasedSymbol(exported) : exported
      return documented(project, folder, symbol, exported.name)
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

const documented = (project: Project, folder: string, symbol: TypeSymbol, name: string): Documented => {
  const { checker } = project
  const declared = symbol.declarations[0]?.resolve(project)
  const type = symbol.flags & flags.variable ? checker.getTypeOfSymbol(symbol) : undefined
  const signature = type && checker.typeToString(type, undefined, noTruncation)
  const text = declared?.getText() ?? ''
  // Types computed from a table say nothing as written.
  const isComputed = !type && symbol.flags & flags.typeAlias && text.includes('(typeof ')
  const values = isComputed ? checker.typeToString(checker.getDeclaredTypeOfSymbol(symbol), undefined, inTypeAlias) : ''
  const kind =
    symbol.flags & flags.class
      ? 'class'
      : symbol.flags & flags.interface
        ? 'interface'
        : symbol.flags & flags.typeAlias && !type
          ? 'type'
          : signature?.match(/^(<[^(]*>)?\(.*=>/s)
            ? 'function'
            : 'value'
  return {
    name,
    kind,
    doc: checker.getDocumentationCommentOfSymbol(symbol),
    tags: checker.getJsDocTagsOfSymbol(symbol).map((tag) => ({ name: tag.name, text: String(tag.text ?? '') })),
    type: signature ?? withoutComments(isComputed ? `type ${name} = ${values}` : text),
    file: (declared?.getSourceFile().fileName ?? '').slice(folder.length + 1),
    members:
      kind === 'class' || kind === 'interface'
        ? [...symbol.getMembers().values()]
            .filter(isPublic)
            .map((member) => documented(project, folder, member, member.name))
        : [],
  }
}

/** Members that programs write: no type parameters, constructors, index signatures or private fields. */
const isPublic = ({ name, flags: of }: TypeSymbol) => /^[A-Za-z]/.test(name) && !(of & flags.typeParameter)

const withoutComments = (text: string) => text.replace(/^\s*\/\*\*.*?\*\/\n?/gms, '')
