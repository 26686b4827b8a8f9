import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { migrate } from '../../server/src/db/migrate.ts'
import { openDatabase } from '../../server/src/db/open.ts'
import {
  documentOfModel,
  documentOfProvider,
  placeOf,
  standingOf,
  titleOf,
  yearOf,
} from '../../server/src/search/rules.ts'
import { createRandom, type Random } from '../random.ts'
import { root } from './world.ts'

const modelsOfEach = 100
const start = Date.UTC(2025, 0, 1)
/** Proofs are never overdue, however long the file is kept. */
const never = Date.UTC(2100, 0, 1)

const onsets = 'b br c ch cl d dr f fl g gl gr h j k l m n p ph pl pr qu r s sc sh sl sp st t th tr v w z'.split(' ')
const vowels = 'a ai au e ea ee i ia io o oa oo ou u'.split(' ')
const codas = ['', '', '', 'l', 'm', 'n', 'nd', 'r', 'rt', 's', 'st', 't', 'x']
const common =
  'ai model chat assistant vision language code large small multilingual instruct reasoning embedding speech translation medical legal finance research open fast tuned agent image audio video'.split(
    ' ',
  )

const inventWord = (random: Random): string => {
  const pick = (from: readonly string[]) => from[random.below(from.length)] ?? ''
  return Array.from({ length: 1 + random.below(4) }, () => pick(onsets) + pick(vowels) + pick(codas)).join('')
}

/** As in real text, few words are frequent and most are rare. */
export const createVocabulary = (random: Random) => {
  const words = [...common]
  const known = new Set(words)
  while (words.length < 20_000) {
    const word = inventWord(random)
    if (word.length < 3 || word.length > 12 || known.has(word)) continue
    known.add(word)
    words.push(word)
  }
  const pick = () => words[Math.min(words.length - 1, Math.floor(words.length ** random.next()) - 1)] ?? 'ai'
  return { words, pick }
}

const capital = (word: string) => `${word[0]?.toUpperCase()}${word.slice(1)}`
const sentence = (pick: () => string, count: number) => `${capital(Array.from({ length: count }, pick).join(' '))}.`

/** A few links are opened often, most never. */
const popularity = (random: Random) => Math.floor(1 / (random.next() + 1e-5))

const folder = join(root, '.data', 'bench-cache')

/** A database with that many public models, rebuilt when its sources change. */
export const openSearchData = async (count: number, say: (line: string) => void): Promise<string> => {
  const file = join(folder, `search-${count}-v5.db`)
  if (existsSync(file)) return file
  say(`building ${count.toLocaleString('en')} models`)
  mkdirSync(dirname(file), { recursive: true })
  const building = `${file}.building`
  for (const ending of ['', '-wal', '-shm']) rmSync(building + ending, { force: true })
  const database = await openDatabase(`sqlite:${building}`)
  await migrate(database, Date.now)
  await database.close()
  fill(building, count)
  renameSync(building, file)
  return file
}

type Row = Record<string, string | number | null>

const fill = (file: string, count: number) => {
  const database = new Sqlite(file)
  database.pragma('journal_mode = OFF')
  database.pragma('synchronous = OFF')
  database.pragma('cache_size = -1000000')
  // The goals compare with this: ranking all matches.
  database.exec(
    "create virtual table bench_ranked using fts5(title, description, tokenize = 'unicode61', prefix = '2 3')",
  )
  const inserts = new Map<string, Sqlite.Statement>()
  const insert = (table: string, row: Row) => {
    const known = inserts.get(table)
    if (known) return known.run(Object.values(row))
    const names = Object.keys(row)
    const made = database.prepare(
      `insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`,
    )
    inserts.set(table, made)
    return made.run(Object.values(row))
  }
  const list = (
    table: 'listed_models' | 'listed_providers',
    row: Row & { names: string; words: string; place: number },
  ) => {
    insert(table, row)
    insert(`${table}_words`, { rowid: row.place, words: row.words })
    insert(`${table}_parts`, { rowid: row.place, names: row.names })
  }

  const random = createRandom(7)
  const { pick } = createVocabulary(random)
  const addProvider = (number: number) => {
    const id = `prv_${String(number).padStart(26, '0')}`
    const name = pick()
    const domain = `${name}${number}.example`
    const isVerified = random.next() < 0.7
    const facts = {
      id,
      company_name: `${capital(name)} ${capital(pick())}`,
      description: sentence(pick, 8),
      domain,
      domain_verified_at: isVerified ? start : null,
      industry: null,
      hq_city: capital(pick()),
      hq_state: null,
      hq_country: capital(pick()),
      opened_count: popularity(random),
      created_at: start + number * 7_000,
    }
    insert('providers', {
      ...facts,
      domain_nonce: '',
      domain_checked_at: never,
      website: `https://${domain}`,
      email: `ops@${domain}`,
      specialties: '[]',
      compliance_certifications: '[]',
      ai_specific_certifications: '[]',
      is_listed: 1,
      updated_at: start,
    })
    list('listed_providers', {
      id,
      place: placeOf(facts),
      ...documentOfProvider(facts),
      title: titleOf(facts.company_name),
      standing: standingOf(facts),
    })
    return facts
  }
  const addModel = (number: number, provider: ReturnType<typeof addProvider>) => {
    const id = `mdl_${String(number).padStart(26, '0')}`
    const display_name = `${capital(pick())} ${capital(pick())} ${1 + random.below(9)}`
    const facts = {
      id,
      display_name,
      model_name: display_name,
      api_model_identifier: `${display_name.toLowerCase().replaceAll(' ', '-')}-${number}`,
      family_name: null,
      description: sentence(pick, 10 + random.below(12)),
      opened_count: popularity(random),
      created_at: start + number * 60,
      company_name: provider.company_name,
      domain: provider.domain,
      domain_verified_at: provider.domain_verified_at,
    }
    const { company_name, domain, domain_verified_at, ...row } = facts
    const release_date = `${2022 + random.below(5)}`
    const context_window = 1_000 * 2 ** random.below(11)
    insert('models', {
      ...row,
      provider_id: provider.id,
      version: '1.0.0',
      version_number: 1,
      endpoint: 'https://api.acme.example/v1',
      model_type: 'text',
      release_date,
      context_window,
      capabilities: '[]',
      input_types: '[]',
      output_types: '[]',
      serving_regions: '[]',
      health_check_enabled: 0,
      health_status: 'unknown',
      bundle_status: 'unknown',
      require_deployment_proof: 0,
      is_public: 1,
      is_active: 1,
      is_latest: 1,
      is_archived: 0,
      is_demo: 0,
    })
    list('listed_models', {
      provider_id: provider.id,
      api_model_identifier: facts.api_model_identifier,
      id,
      place: placeOf(facts),
      ...documentOfModel(facts),
      title: titleOf(display_name),
      company: titleOf(company_name),
      year: yearOf(release_date),
      context: context_window,
      created_at: facts.created_at,
    })
    insert('bench_ranked', { rowid: number, title: display_name, description: facts.description })
  }

  const addAll = database.transaction((from: number, to: number) => {
    let provider = addProvider(from / modelsOfEach)
    for (let number = from; number < to; number++) {
      if (number > from && number % modelsOfEach === 0) provider = addProvider(number / modelsOfEach)
      addModel(number, provider)
    }
  })
  for (let from = 0; from < count; from += 50_000) addAll(from, Math.min(from + 50_000, count))
  database.pragma('journal_mode = WAL')
  database.close()
}
