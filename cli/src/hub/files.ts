import { createHash } from 'node:crypto'
import { isVisible, limits, ModelFile } from '@countersign/sdk/contract'
import { quoteFile } from '@countersign/sdk/words'
import { Failure } from '../failure.ts'
import { type HubClient, odd } from './client.ts'

interface Entry {
  name: string
  size: number
  /** For a large file: its SHA-256, as stored by the hub. */
  sha256: string | undefined
  /** For a file in git itself: the SHA-1 of its git blob. */
  blob: string | undefined
}

interface Commit {
  id: string
  sha: string
}

const listBytes = 20_000_000
const maxPages = 200
/** Size limits for files without a SHA-256 on the hub: each, and in total. */
const fileBytes = 32_000_000
const allBytes = 512_000_000
const fetchedAtOnce = 6

export interface HubFiles {
  files: ModelFile[]
  /** How many had to be fetched for hashing. */
  fetched: number
  /** The text of README.md, if there is one. */
  readme: string | undefined
}

/** Every file at one commit with its SHA-256. Large files are not fetched: the hub reports theirs. */
export const readHubFiles = async (
  hub: HubClient,
  commit: Commit,
  isIgnored: (name: string) => boolean,
): Promise<HubFiles> => {
  const entries = (await listEntries(hub, commit)).filter(({ name }) => !isIgnored(name))
  if (entries.length === 0) throw new Failure('not_found', 5, `${commit.id} has no files on the hub at ${commit.sha}`)
  if (entries.length > limits.modelFiles)
    throw new Failure(
      'file',
      2,
      `${commit.id} has more than ${limits.modelFiles} files`,
      'Ignore what is not part of the model with --ignore-path',
    )
  const unknown = entries.filter(({ sha256 }) => sha256 === undefined)
  checkBounds(unknown)
  const contents = new Map<string, string>()
  let readme: string | undefined
  await atOnce(fetchedAtOnce, unknown, async (entry) => {
    const bytes = await fetchEntry(hub, commit, entry)
    if (entry.name === 'README.md') readme = bytes.toString('utf8')
    contents.set(entry.name, createHash('sha256').update(bytes).digest('hex'))
  })
  const files = entries.map(({ name, size, sha256 }) => ({ name, size, sha256: sha256 ?? contents.get(name) ?? '' }))
  return { files: files.map(checked), fetched: unknown.length, readme }
}

const checked = (file: ModelFile): ModelFile => {
  const { success } = ModelFile.safeParse(file)
  if (success && isVisible(file.name)) return file
  throw new Failure(
    'file',
    2,
    `A file on the hub has a name that cannot be published: ${quoteFile(file.name)}`,
    'Ignore it with --ignore-path',
  )
}

const checkBounds = (unknown: readonly Entry[]) => {
  const tooLarge = unknown.find(({ size }) => size > fileBytes)
  const total = unknown.reduce((sum, { size }) => sum + size, 0)
  if (tooLarge || total > allBytes)
    throw new Failure(
      'file',
      2,
      tooLarge
        ? `The hub gives no SHA-256 for ${tooLarge.name}, and it is too large to download`
        : 'The files that would have to be downloaded are too large in total',
      'Download the model, then register its folder: countersign models register PATH',
    )
}

/* ---- the list ---- */

const listEntries = async (hub: HubClient, { id, sha }: Commit): Promise<Entry[]> => {
  const start = `${hub.endpoint}/api/models/${id}/tree/${sha}`
  const entries: Entry[] = []
  let next: string | undefined = `${start}?recursive=true&limit=1000`
  for (let page = 0; next !== undefined; page++) {
    if (page === maxPages) throw odd(`The list of files of ${id} does not end`)
    const answer = await hub.read(next, { id, revision: sha, maxBytes: listBytes })
    const found = parseList(answer.body)
    if (found === undefined) throw odd(`The list of files of ${id} could not be read`)
    entries.push(...found)
    const cursor = nextCursor(answer.headers.get('link'), answer.url)
    next =
      cursor === undefined ? undefined : `${start}?${new URLSearchParams({ recursive: 'true', limit: '1000', cursor })}`
  }
  return entries
}

/** RFC 8288: `<https://hub.example/…?cursor=…>; rel="next"`. Only the cursor is used; the base address stays the same. */
const nextCursor = (link: string | null, base: string): string | undefined => {
  const [, target] = /<([^>]*)>\s*;[^,]*\brel="?next"?/.exec(link ?? '') ?? []
  if (target === undefined) return undefined
  const cursor = URL.parse(target, base)?.searchParams.get('cursor')
  if (cursor) return cursor
  throw odd('The next page of the hub’s list of files could not be read')
}

const recordOf = (value: unknown) =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

const parseList = (body: Buffer): Entry[] | undefined => {
  let list: unknown
  try {
    list = JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
  if (!Array.isArray(list)) return undefined
  const files = list.map(recordOf).filter(({ type }) => type !== 'directory')
  const entries = files.map(entryOf)
  return entries.includes(undefined) ? undefined : entries.filter((entry) => entry !== undefined)
}

/**
 * A file in git, one in LFS whose `oid` is its SHA-256, or one in Xet storage, which also has an LFS pointer. A `xetHash` is
 * another kind of digest: without a pointer, fetch the file.
 */
const entryOf = ({ type, path, size, oid, lfs, xetHash }: Record<string, unknown>): Entry | undefined => {
  const pointer = lfs === undefined || lfs === null ? undefined : recordOf(lfs)
  const bytes = pointer?.size ?? size
  const isGood =
    type === 'file' &&
    typeof path === 'string' &&
    Number.isSafeInteger(bytes) &&
    (pointer === undefined || isHex(pointer.oid, 64))
  if (!isGood) return undefined
  const blob = pointer === undefined && typeof xetHash !== 'string' && isHex(oid, 40) ? oid : undefined
  return { name: path, size: Number(bytes), sha256: isHex(pointer?.oid, 64) ? pointer.oid : undefined, blob }
}

const isHex = (value: unknown, length: number): value is string =>
  typeof value === 'string' && value.length === length && /^[0-9a-f]+$/.test(value)

/* ---- small files ---- */

const fetchEntry = async (hub: HubClient, { id, sha }: Commit, { name, size, blob }: Entry): Promise<Buffer> => {
  const path = name.split('/').map(encodeURIComponent).join('/')
  const { body } = await hub.read(`${hub.endpoint}/${id}/resolve/${sha}/${path}`, { id, revision: sha, maxBytes: size })
  // The list identifies content by its git blob: reject anything else that third-party storage returns.
  const found = createHash('sha1').update(`blob ${body.length}\0`).update(body).digest('hex')
  if (body.length !== size || (blob !== undefined && blob !== found))
    throw odd(`${name} on the hub differs from the hub’s own list`)
  return body
}

/** `p-limit` in five lines. */
const atOnce = async <T>(count: number, items: readonly T[], work: (item: T) => Promise<void>) => {
  const waiting = [...items]
  const lane = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: count }, lane))
}
