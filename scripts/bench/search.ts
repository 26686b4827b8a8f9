import Sqlite from 'better-sqlite3'
import { openFullText } from '../../server/src/db/full-text/open.ts'
import { openDatabase } from '../../server/src/db/open.ts'
import { createSearchService } from '../../server/src/search/service.ts'
import { createRandom } from '../random.ts'
import { measure, type Report, table } from './goal.ts'
import { createVocabulary, openSearchData } from './search-data.ts'

const repeats = 40
const sizes = { quick: [10_000], large: [10_000, 100_000, 1_000_000] } as const

interface Query {
  kind: string
  text: string
}

/** Typical queries: a prefix, a word, several words, something without matches. */
const makeQueries = (): Query[] => {
  const { words, pick } = createVocabulary(createRandom(7))
  const random = createRandom(11)
  const frequent = words.slice(0, 40)
  const begun = (word: string, length: number) => word.slice(0, length)
  const kinds: Record<string, () => string> = {
    '2 characters, common': () => begun(frequent[random.below(frequent.length)] ?? 'ai', 2),
    '2 characters': () => begun(words[random.below(words.length)] ?? 'ai', 2),
    '3 characters': () => begun(pick(), 3),
    '4-6 characters': () => begun(pick().padEnd(4, 'a'), 4 + random.below(3)),
    '7-12 characters': () =>
      words.filter((word) => word.length >= 7)[random.below(2_000)]?.slice(0, 7 + random.below(6)) ?? 'assistant',
    '2-3 words': () => Array.from({ length: 2 + random.below(2) }, pick).join(' '),
    'no match': () => `zzq${random.below(1e6).toString(36)}`,
  }
  return Object.entries(kinds).flatMap(([kind, make]) =>
    Array.from({ length: repeats }, () => ({ kind, text: make() })),
  )
}

type Ask = (text: string) => unknown

const timesOf = async (queries: readonly Query[], ask: Ask): Promise<Map<string, number[]>> => {
  // Run once before timing, so that neither side reads from disk.
  for (const { text } of queries) await ask(text)
  const times = new Map<string, number[]>()
  for (const { kind, text } of queries) {
    const started = performance.now()
    await ask(text)
    const ms = performance.now() - started
    times.set(kind, [...(times.get(kind) ?? []), ms])
  }
  return times
}

const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN

const all = (times: Map<string, number[]>) => [...times.values()].flat()
const worst = (times: Map<string, number[]>) =>
  Math.max(...[...times.values()].map((values) => percentile(values, 0.99)))

/** The alternatives: search without its own index, and an index that ranks all matches. */
const openRivals = (file: string) => {
  const database = new Sqlite(file, { readonly: true })
  database.pragma('cache_size = -65536')
  const like = database.prepare(
    `select m.id from models m join providers p on p.id = m.provider_id where m.is_public = 1 and p.is_listed = 1
     and (m.display_name like @pattern or m.description like @pattern or p.company_name like @pattern)
     order by p.domain_verified_at is null, m.opened_count desc limit 20`,
  )
  const ranked = database.prepare(
    'select m.id from bench_ranked r join models m on m.rowid = r.rowid where bench_ranked match ? order by bm25(bench_ranked, 10, 1) limit 20',
  )
  return {
    like: (text: string) => like.all({ pattern: `%${text}%` }),
    ranked: (text: string) =>
      ranked.all(
        text
          .split(' ')
          .map((word) => `"${word}"*`)
          .join(' AND '),
      ),
    close: () => database.close(),
  }
}

const openOurs = async (file: string) => {
  const database = await openDatabase(`sqlite:${file}`)
  const search = createSearchService({ database, fullText: await openFullText(database), now: Date.now })
  return {
    ask: (text: string) => search.find({ q: text, limit: 20, include_providers: true, include_models: true }),
    close: database.close,
  }
}

const inMs = (ms: number) => ms.toFixed(ms < 10 ? 2 : 0)

/** Measures search in growing catalogues; in the largest also against a scan and against ranking all matches. */
export const measureSearch = async ({
  isLarge,
  say,
}: {
  isLarge: boolean
  say: (line: string) => void
}): Promise<Report> => {
  const queries = makeQueries()
  const counts = isLarge ? sizes.large : sizes.quick
  const results: { count: number; times: Map<string, number[]> }[] = []
  for (const count of counts) {
    const ours = await openOurs(await openSearchData(count, say))
    results.push({ count, times: await timesOf(queries, ours.ask) })
    await ours.close()
  }
  const [first, last] = [results[0], results.at(-1)]
  if (!first || !last) throw new Error('Nothing was measured.')
  const kinds = [...last.times.keys()]
  const cells = (times: Map<string, number[]>, kind: string) => {
    const values = times.get(kind) ?? []
    return `${inMs(percentile(values, 0.5))} / ${inMs(percentile(values, 0.99))}`
  }
  const rows = [...kinds.map((kind) => [kind, ...results.map(({ times }) => cells(times, kind))])]
  rows.push([
    'all',
    ...results.map(({ times }) => `${inMs(percentile(all(times), 0.5))} / ${inMs(percentile(all(times), 0.99))}`),
  ])
  const details = table(
    ['50th / 99th percentile in ms', ...results.map(({ count }) => count.toLocaleString('en'))],
    rows,
  )

  const rivals = openRivals(await openSearchData(last.count, say))
  const sample = queries.filter((_, index) => index % 4 === 0)
  const like = await timesOf(sample, rivals.like)
  const ranked = await timesOf(sample, rivals.ranked)
  rivals.close()
  const ours = percentile(all(last.times), 0.99)
  const most = last.count.toLocaleString('en')
  details.push(
    `At ${most}, 99th percentile of all: ${inMs(ours)} ms; of the worst kind: ${inMs(worst(last.times))} ms; like ${inMs(worst(like))} ms; all matches ranked ${inMs(worst(ranked))} ms.`,
  )
  const overLike = { goal: 'G17', name: `like over ${most} rows / search, 99th percentile` }
  if (!isLarge) {
    details.push('To measure growth in larger catalogues: npm run bench -- --large G16')
    return { measured: [measure({ ...overLike, floor: 1, target: 3 }, worst(like) / ours)], details }
  }
  const growth = (share: number) => percentile(all(last.times), share) / percentile(all(first.times), share)
  const range = `${first.count.toLocaleString('en')} to ${most} models`
  return {
    measured: [
      measure({ goal: 'G16', name: `search growth in the median, ${range}`, floor: 2, target: 1.3 }, growth(0.5)),
      measure(
        { goal: 'G16', name: `search growth in the 99th percentile, ${range}`, floor: 15, target: 8 },
        growth(0.99),
      ),
      measure({ ...overLike, floor: 50, target: 150 }, worst(like) / ours),
      measure(
        { goal: 'G17', name: 'all matches ranked / search, 99th percentile', floor: 100, target: 400 },
        worst(ranked) / ours,
      ),
    ],
    details,
  }
}
