/** The host that vouches for what a page says: the one in the address bar. */
export const registryHost = location.host

/** A development registry believes reserved names and its own DNS servers; every page then says so. */
export const isDevelopmentRegistry = document.querySelector('meta[name="countersign-registry"]')?.getAttribute('content') === 'development'
