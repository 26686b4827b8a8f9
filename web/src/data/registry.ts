/** The host that vouches for what a page says: the one in the address bar. */
export const registryHost = location.host

const readMeta = (name: string) => document.querySelector(`meta[name="${name}"]`)?.getAttribute('content') ?? undefined

/** The public address of this registry, as named by the server: the page may be open under another name of the same machine. */
export const issuer = readMeta('countersign-issuer') ?? location.origin

/** The operator's contact address. */
export const contactAddress = readMeta('countersign-contact') ?? `contact@${location.hostname}`

/** The repository of the SDK; undefined if the operator named none. */
export const repositoryUrl = readMeta('countersign-repository')

/** A development registry accepts reserved names and its own DNS servers, so every page shows a notice. */
export const isDevelopmentRegistry = readMeta('countersign-registry') === 'development'

/** Identity providers that this registry has set up; all of them if the server names none. */
export const hasSignInBy = (service: string) => readMeta('countersign-sign-in')?.split(' ').includes(service) ?? true

/** The model hub: the only other server that the console contacts. */
export const hubEndpoint = readMeta('countersign-hub')
