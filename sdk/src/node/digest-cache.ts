import { randomBytes } from 'node:crypto'
import { promises as fs } from 'node:fs'
import { join } from 'node:path'
import type { HashedStats } from './hash-program.ts'
import { identityOf } from './list-model-files.ts'

export interface DigestCache {
  /** The digest of this exact content, if known. */
  find(stats: HashedStats): string | undefined
  /** `openedAt`: when reading began, in milliseconds. */
  note(stats: HashedStats, digest: string, openedAt: number): void
  /** Never rejects: without a cache the next run is only slower. */
  save(): Promise<void>
}

/** Device and inode; size, modification time, change time (ns); digest. */
type Entry = readonly [file: string, content: string, digest: string]

const version = 1
const maxEntries = 50_000
const maxBytes = 16_000_000
/** Some file systems store times in steps of two seconds: a file changed within the same step looks unchanged. */
const settledMs = 2_000

const contentOf = ({ size, mtimeNs, ctimeNs }: HashedStats) => `${size}:${mtimeNs}:${ctimeNs}`

/** Caches digests of unchanged files. A damaged cache counts as empty. */
export const openDigestCache = async (folder: string): Promise<DigestCache> => {
  const path = join(folder, 'digests.json')
  const entries = await readEntries(path)
  const noted = new Map<string, Entry>()
  return {
    find: (stats) => {
      const entry = entries.get(identityOf(stats))
      return entry !== undefined && entry[1] === contentOf(stats) ? entry[2] : undefined
    },
    note: (stats, digest, openedAt) => {
      const changedAt = stats.mtimeNs > stats.ctimeNs ? stats.mtimeNs : stats.ctimeNs
      if (openedAt - Number(changedAt / 1_000_000n) < settledMs) return
      noted.set(identityOf(stats), [identityOf(stats), contentOf(stats), digest])
    },
    save: async () => {
      if (noted.size > 0) await writeEntries(folder, path, noted).catch(() => {})
    },
  }
}

const readEntries = async (path: string): Promise<Map<string, Entry>> => {
  const found = new Map<string, Entry>()
  try {
    const { size, uid, mode } = await fs.stat(path)
    // Anyone who can write to the cache can fake digests.
    const isOurs = process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0)
    if (!isOurs || size > maxBytes) return found
    const cache: unknown = JSON.parse(await fs.readFile(path, 'utf8'))
    if (typeof cache !== 'object' || cache === null || !('version' in cache) || cache.version !== version) return found
    if (!('entries' in cache) || !Array.isArray(cache.entries)) return found
    for (const entry of cache.entries) if (isEntry(entry)) found.set(entry[0], entry)
  } catch {}
  return found
}

const isEntry = (entry: unknown): entry is Entry => {
  if (!Array.isArray(entry) || entry.length !== 3) return false
  const [file, content, digest] = entry.map(String)
  return (
    /^\d+:\d+$/.test(file ?? '') &&
    /^\d+:-?\d+:-?\d+$/.test(content ?? '') &&
    /^sha256:[0-9a-f]{64}$/.test(digest ?? '')
  )
}

/** Keeps what other processes have stored meanwhile; the oldest entries go first. */
const writeEntries = async (folder: string, path: string, noted: ReadonlyMap<string, Entry>) => {
  await fs.mkdir(folder, { recursive: true, mode: 0o700 })
  const entries = await readEntries(path)
  for (const [file, entry] of noted) {
    entries.delete(file)
    entries.set(file, entry)
  }
  const temporary = `${path}.${randomBytes(6).toString('hex')}`
  try {
    await fs.writeFile(temporary, JSON.stringify({ version, entries: [...entries.values()].slice(-maxEntries) }), {
      mode: 0o600,
      flag: 'wx',
    })
    await fs.rename(temporary, path)
  } catch (error) {
    await fs.rm(temporary, { force: true })
    throw error
  }
}
