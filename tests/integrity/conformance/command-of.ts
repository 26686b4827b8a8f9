import { isAbsolute, relative } from 'node:path'

interface Translated {
  args: string[]
  env: Record<string, string>
}

/** A Sigstore other than the public one. */
export interface Instance {
  url: string
  trustedRoot: string
}

/** Flags of the suites. */
const switches = ['--ignore-unsigned-files', '--use-staging', '--staging', '--in-toto']

/** Options with values, which may repeat, and positional arguments, in order. */
const parse = (given: readonly string[]) => {
  const options = new Map<string, string[]>()
  const rest: string[] = []
  for (let index = 0; index < given.length; index++) {
    const each = given[index] ?? ''
    if (!each.startsWith('--')) rest.push(each)
    else options.set(each, [...(options.get(each) ?? []), switches.includes(each) ? '' : (given[++index] ?? '')])
  }
  const all = (name: string) => options.get(name) ?? []
  return {
    rest,
    all,
    has: (name: string) => options.has(name),
    as: (name: string, own: string) => all(name).flatMap((value) => [own, value]),
  }
}
type Given = ReturnType<typeof parse>

/** The suites use absolute paths; the command line uses paths relative to the model's folder. */
const ignored = (given: Given, model: string) =>
  given.all('--ignore-paths').flatMap((path) => ['--ignore-path', isAbsolute(path) ? relative(model, path) : path])

const verifyModel = (given: Given, instance?: Instance): string[] => {
  const [model = ''] = given.all('--model-path')
  return [
    ...['bundles', 'verify', model, '--no-cache'],
    ...given.as('--bundle', '--bundle'),
    ...given.as('--public-key', '--key'),
    ...given.as('--cert-chain', '--certificate-chain'),
    ...given.as('--identity', '--certificate-identity'),
    ...given.as('--identity-provider', '--certificate-oidc-issuer'),
    ...ignored(given, model),
    ...(given.has('--ignore-unsigned-files') ? ['--ignore-unsigned-files'] : []),
    ...(instance ? ['--trusted-root', instance.trustedRoot] : []),
  ]
}

const signModel = (given: Given, instance?: Instance): string[] => {
  const [model = ''] = given.all('--model-path')
  const services = instance ? ['--fulcio-url', instance.url, '--rekor-url', instance.url] : []
  return [
    ...['bundles', 'sign', model, '--no-cache'],
    ...given.as('--output-bundle', '--output'),
    ...given.as('--private-key', '--key'),
    ...given.as('--signing-cert', '--certificate'),
    ...given.as('--cert-chain', '--certificate-chain'),
    ...(given.all('--method').includes('sigstore') ? ['--keyless', ...services] : []),
    ...ignored(given, model),
  ]
}

/**
 * The arguments of `countersign` for a call of the conformance suites of OpenSSF Model Signing (`sign-model`,
 * `verify-model`) or of Sigstore (`verify-bundle`); a string says why the call is skipped.
 */
export const commandOf = (call: readonly string[], instance?: Instance): Translated | string => {
  const [name = '', ...others] = call
  const given = parse(others)
  if (given.has('--use-staging') || given.has('--staging')) return 'The staging instance is not supported'
  const [token] = given.all('--identity-token')
  const env: Translated['env'] = token === undefined ? {} : { SIGSTORE_ID_TOKEN: token }
  if (name === 'verify-bundle') return { args: ['verify-bundle', '--no-cache', ...others], env }
  if (name === 'verify-model') return { args: verifyModel(given, instance), env }
  if (name === 'sign-model') return { args: signModel(given, instance), env }
  return `${name} is not supported`
}
