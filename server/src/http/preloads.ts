import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One file of the built console (Vite's `manifest.json`). */
interface Chunk {
  file: string
  imports?: string[]
}

const entry = 'index.html'

/** For a page of the console, by its source: the links that preload its code. */
export const readPreloads = (webDir: string): ((page: string) => string) => {
  const path = join(webDir, '.vite/manifest.json')
  if (!existsSync(path)) return () => ''
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Record<string, Chunk>

  const collect = (name: string, seen: Set<string>): Set<string> => {
    const chunk = manifest[name]
    if (!chunk || seen.has(chunk.file)) return seen
    seen.add(chunk.file)
    for (const needed of chunk.imports ?? []) collect(needed, seen)
    return seen
  }

  const own = collect(entry, new Set())
  const known = new Map<string, string>()
  return (page) => {
    const found = known.get(page)
    if (found !== undefined) return found
    const files = [...collect(`src/features/${page}.tsx`, new Set())].filter((file) => !own.has(file))
    const links = files.map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`).join('\n    ')
    known.set(page, links)
    return links
  }
}
