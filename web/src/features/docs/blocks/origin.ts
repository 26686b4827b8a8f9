/** Samples and texts name a registry that does not exist; readers see the one they are on. */
export const withOrigin = (text: string) => text.replaceAll('https://registry.example', location.origin)
