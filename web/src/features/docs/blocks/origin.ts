/** Samples and texts use a placeholder registry; replace it with the current one. */
export const withOrigin = (text: string) => text.replaceAll('https://registry.example', location.origin)
