import { fileURLToPath } from 'node:url'
import { generatedNotice, markdownTable } from './markdown.ts'
import { type Documented, type EntryPoint, readSurface } from './sdk-surface.ts'

const sdk = fileURLToPath(new URL('../../sdk', import.meta.url))

let read: EntryPoint[] | undefined
const surface = () => (read ??= readSurface(sdk, `${sdk}/tsconfig.build.json`, '@countersign/source'))

const isGenerated = ({ file }: Documented) => file === 'src/methods.ts'
const isMethods = ({ name }: Documented) => /^[A-Z][a-z]+Methods$/.test(name) && name !== 'LinkMethods'
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')

/** `docs/sdk-reference.md`: every export of the SDK with what it does, takes, returns and throws. */
export const sdkReference = (): string => {
  const [root, ...others] = surface()
  if (!root) throw new Error('The SDK has no entry point')
  const [contracts, parts] = [true, false].map((is) => others.filter(({ name }) => name.includes('/contract') === is))
  const named = root.exports.filter((each) => !isGenerated(each))
  const groups = root.exports.filter((each) => isGenerated(each) && isMethods(each))
  const sections = ['Methods of the client', ...[root, ...(parts ?? []), ...(contracts ?? [])].map(({ name }) => name)]
  return `${[
    generatedNotice,
    '# SDK reference',
    'Every export of `@countersign/sdk`. Begin with [the guide](sdk.md). Inputs and responses of the methods are in [types of the API](sdk-types.md).',
    sections.map((name) => `- [${name.startsWith('@') ? `\`${name}\`` : name}](#${anchorOf(name)})`).join('\n'),
    '## Methods of the client',
    'Every method also takes `RequestOptions` last. Besides the errors listed, each can throw `RateLimitError`, `ServerError`, `ConnectionError`, `TimeoutError`, `AbortError` and, for invalid options, `TypeError`; with a key also `AuthenticationError` and `PermissionError`.',
    ...groups.flatMap(methodsOf),
    `## \`${root.name}\``,
    ...named.flatMap((each) => sectionOf(each)),
    ...(parts ?? []).flatMap(({ name, exports }) => [`## \`${name}\``, ...exports.flatMap((each) => sectionOf(each))]),
    ...(contracts ?? []).flatMap(({ name, exports }) => [
      `## \`${name}\``,
      markdownTable(
        ['export', 'meaning'],
        exports.map((each) => [`\`${each.name}\``, oneLine(each.doc)]),
      ),
    ]),
  ].join('\n\n')}\n`
}

/** `docs/sdk-types.md`: the fields of every input and response. */
export const sdkTypes = (): string => {
  const types = surface()[0]?.exports.filter((each) => isGenerated(each) && !isMethods(each) && each.name !== 'Methods')
  return `${[
    generatedNotice,
    '# Types of the API',
    "What the methods of the [SDK](sdk-reference.md) take and return, as `import type { Model } from '@countersign/sdk'`. A `?` marks optional fields.",
    ...(types ?? []).flatMap((each) => sectionOf(each)),
  ].join('\n\n')}\n`
}

const methodsOf = ({ name, doc, members }: Documented): string[] => {
  const feature = featureOf(name)
  return [
    `### client.${feature}`,
    doc,
    ...members.flatMap((method) => [`#### client.${feature}.${method.name}`, code(callOf(method)), ...proseOf(method)]),
  ]
}

/** Without the last parameter, which all methods share. */
const callOf = ({ type }: Documented) =>
  type.replace(/(, )?options\?: RequestOptions \| undefined,?\s*\)/, ')').replaceAll(/ \| undefined(?=[,)])/g, '')

const featureOf = (name: string) => {
  const methods = surface()[0]?.exports.find((each) => each.name === 'Methods')
  const property = methods?.members.find(({ type }) => type.endsWith(`: ${name}`))
  if (!property) throw new Error(`No feature has ${name}`)
  return property.name
}

const sectionOf = (each: Documented): string[] => {
  const fields = each.members.filter((member) => !isMethod(member) && member.doc !== 'Name of the class.')
  return [
    `### ${each.name}`,
    ...(each.kind === 'interface' || each.kind === 'class' ? heritageOf(each) : [code(shownType(each))]),
    ...proseOf(each),
    ...(fields.length > 0
      ? [markdownTable([each.kind === 'class' ? 'property' : 'field', 'type', 'meaning'], fields.map(rowOf))]
      : []),
    ...each.members.filter(isMethod).flatMap((member) => [code(member.type), ...proseOf(member)]),
  ]
}

/** Methods have a comment of their own, or parameters. */
const isMethod = ({ type, name }: Documented) => new RegExp(`^(async )?${name}(<.*>)?\\(`).test(type)

const rowOf = ({ name, type, doc }: Documented) => {
  const [, optional = '', of = ''] =
    new RegExp(`\\b${name}(\\?|\\(\\))?\\s*:\\s*(.*?)( \\{\\s*return .*)?$`, 's').exec(type) ?? []
  return [`\`${name}${optional === '?' ? '?' : ''}\``, codeSpan(of.replace(/ \| undefined$/, '')), oneLine(doc)]
}

const codeSpan = (type: string) => (type === '' ? '' : `\`${oneLine(type)}\``)

const heritageOf = ({ type }: Documented): string[] => {
  const [, parent] = / extends ([^{]+) \{/.exec(type) ?? []
  return parent ? [`Extends \`${oneLine(parent)}\`.`] : []
}

/** Schemas and tables have types of many lines; their documentation says more. */
const longestType = 1_200
const shownType = ({ name, kind, type }: Documented) => {
  if (kind === 'type') return type.replace(/^export type /, 'type ')
  return type.length > longestType ? `const ${name}` : `const ${name}: ${type}`
}

const titles: Record<string, string | undefined> = { returns: 'Returns', throws: 'Throws' }

const proseOf = ({ doc, tags }: Documented): string[] => {
  const lines = tags.flatMap(({ name, text }) => {
    const plain = plainLinks(text)
    if (/^options - `signal`|^\w+ - See |^As every call/.test(text)) return []
    if (name === 'param') return [plain.replace(/^(\w+) (?:- )?/, (_, param: string) => `- \`${param}\`: `)]
    const title = titles[name]
    return title ? [`- ${title}: ${plain}`] : []
  })
  return [
    ...(doc ? [plainLinks(doc)] : []),
    ...(lines.length > 0 ? [lines.join('\n')] : []),
    ...tags.flatMap(({ name, text }) => (name === 'example' ? [text.includes('```') ? text : code(text)] : [])),
  ]
}

const plainLinks = (text: string) => text.replace(/\{@link (\w+)\}/g, '`$1`')
const oneLine = (text: string) => plainLinks(text).replace(/\s+/g, ' ').trim()
const code = (text: string) => `\`\`\`ts\n${text}\n\`\`\``
