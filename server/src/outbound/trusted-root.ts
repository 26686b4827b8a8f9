import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Egress } from './egress.ts'

export interface FoundRoot {
  id: string
  json: string | undefined
}

/** The current trusted root. Throws if it cannot be read: then the previous one stays in use. */
export type ReadRoot = () => Promise<FoundRoot>

interface Deps {
  egress: Egress
  /** A file or an https address; null: the one that comes with the packages. */
  source: string | null
  /** Where a fetched root is stored, for a start without network. */
  folder: string
  now: () => number
}

const maxBytes = 5_000_000
const fetchEveryMs = 3_600_000

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const rootOf = (json: string): FoundRoot => ({ id: sha256(json), json })

/** Reads a file again when it changes, an address every hour. */
export const createReadRoot = ({ egress, source, folder, now }: Deps): ReadRoot => {
  if (source === null) return async () => ({ id: 'built-in', json: undefined })
  return source.startsWith('https:') ? fromAddress(source, { egress, folder, now }) : fromFile(source)
}

const fromFile = (file: string): ReadRoot => {
  let seen: { mark: string; root: FoundRoot } | undefined
  return async () => {
    const { mtimeMs, ctimeMs, size, ino } = await stat(file)
    const mark = `${mtimeMs} ${ctimeMs} ${size} ${ino}`
    if (seen?.mark !== mark) seen = { mark, root: rootOf(await readFile(file, 'utf8')) }
    return seen.root
  }
}

const namesAuthorities = (root: unknown): boolean =>
  typeof root === 'object' &&
  root !== null &&
  ['tlogs', 'certificateAuthorities', 'ctlogs', 'timestampAuthorities'].some((name) => {
    const authorities: unknown = Reflect.get(root, name)
    return Array.isArray(authorities) && authorities.length > 0
  })

const fromAddress = (url: string, { egress, folder, now }: Omit<Deps, 'source'>): ReadRoot => {
  const savedFile = join(folder, `trusted-root-${sha256(url).slice(0, 16)}.json`)
  let seen: { at: number; root: FoundRoot } | undefined
  const fetchRoot = async () => {
    const { status, body } = await egress.fetch(url, { maxBytes })
    if (status !== 200) throw new Error(`The address of the trusted root answered ${status}.`)
    const json = body.toString('utf8')
    // An error page must not replace the stored root.
    if (!namesAuthorities(JSON.parse(json))) throw new Error('The address of the trusted root returned something else.')
    await mkdir(folder, { recursive: true })
    await writeFile(`${savedFile}.new`, json)
    await rename(`${savedFile}.new`, savedFile)
    return rootOf(json)
  }
  return async () => {
    if (seen && now() - seen.at < fetchEveryMs) return seen.root
    try {
      seen = { at: now(), root: await fetchRoot() }
    } catch (error) {
      const saved = seen?.root ?? (await readFile(savedFile, 'utf8').then(rootOf, () => undefined))
      if (!saved) throw error
      // So that a failed fetch is not repeated at every check.
      seen = { at: now() - fetchEveryMs + 300_000, root: saved }
    }
    return seen.root
  }
}
