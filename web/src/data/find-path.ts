import { exactPath } from './exact-path.ts'
import { isDigest, search, searchPath } from './search.ts'

const isDomain = (text: string) => /^([a-z0-9-]+\.)+[a-z][a-z0-9-]*$/i.test(text)

/** Where a search leads: to what it names, else to `pathOfWords`. */
export const findPath = async (
  text: string,
  { ownHost, pathOfWords = searchPath }: { ownHost: string; pathOfWords?: (text: string) => string },
): Promise<string> => {
  const typed = text.trim()
  const exact = exactPath(typed, ownHost)
  if (exact !== undefined) return exact
  if (isDigest(typed)) return searchPath(typed)
  if (!isDomain(typed)) return pathOfWords(typed)
  const { providers } = await search(typed, 1).catch(() => ({ providers: [] }))
  const [provider] = providers
  return provider?.domain_verified && provider.domain === typed.toLowerCase() ? provider.url : pathOfWords(typed)
}
