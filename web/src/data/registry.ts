/** The host that vouches for what a page says: the one in the address bar. */
export const registryHost = location.host

const readMeta = (name: string) => document.querySelector(`meta[name="${name}"]`)?.getAttribute('content') ?? undefined

/** The public address of this registry. The server names it: a page may be open under another name of the same machine. */
export const issuer = readMeta('countersign-issuer') ?? location.origin

/** Where visitors write to whoever runs the registry. */
export const contactAddress = readMeta('countersign-contact') ?? `contact@${location.hostname}`

/** A development registry believes reserved names and its own DNS servers; every page then says so. */
export const isDevelopmentRegistry = readMeta('countersign-registry') === 'development'

/** Services that people sign in with, as far as this registry has them set up; where nobody says, all. */
export const hasSignInBy = (service: string) => readMeta('countersign-sign-in')?.split(' ').includes(service) ?? true

/** The model hub of this registry; nothing but it may be asked beside the registry. */
export const hubEndpoint = readMeta('countersign-hub')
