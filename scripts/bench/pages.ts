import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { delimiter, dirname } from 'node:path'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import { findChromium } from '../../tests/support/chromium.ts'
import { type Measured, measure, type Report, table } from './goal.ts'
import { freePort, startServer } from './processes.ts'
import { registryProgram, type World } from './world.ts'

/** Runs vary with the machine's load; Lighthouse's authors advise taking several. */
const looks = 3

const categories = ['performance', 'accessibility', 'best-practices'] as const

interface Seen {
  page: string
  scores: Record<(typeof categories)[number], number>
  /** Largest Contentful Paint in milliseconds. */
  paintedMs: number
  /** Cumulative layout shift. */
  shift: number
  /** Total blocking time in milliseconds. */
  blockedMs: number
}

/** Fetched when it is needed: it is a tenth of all packages, and only this benchmark uses it. */
const lighthouse = 'lighthouse@13.5.0'

interface Lighthouse {
  runtimeError?: { message: string }
  categories: Record<string, { score: number | null }>
  audits: Record<string, { numericValue?: number }>
}

/** Runs Lighthouse on a page with its mobile profile: a simulated phone on a slow network. */
const look = async (page: string, url: string, port: number): Promise<Seen> => {
  const options = [`--port=${port}`, '--output=json', '--quiet', `--only-categories=${categories.join()}`]
  const { stdout } = await promisify(execFile)(
    'npm',
    ['exec', '--yes', `--package=${lighthouse}`, '--', 'lighthouse', url, ...options],
    {
      maxBuffer: 2 ** 26,
      env: { ...process.env, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) },
    },
  )
  const lhr = JSON.parse(stdout) as Lighthouse
  if (lhr.runtimeError) throw new Error(`${page}: ${lhr.runtimeError.message}`)
  const scoreOf = (category: string) => Math.round((lhr.categories[category]?.score ?? 0) * 100)
  return {
    page,
    scores: {
      performance: scoreOf('performance'),
      accessibility: scoreOf('accessibility'),
      'best-practices': scoreOf('best-practices'),
    },
    paintedMs: lhr.audits['largest-contentful-paint']?.numericValue ?? Number.NaN,
    shift: lhr.audits['cumulative-layout-shift']?.numericValue ?? Number.NaN,
    blockedMs: lhr.audits['total-blocking-time']?.numericValue ?? Number.NaN,
  }
}

/** The run with the median performance. */
const lookOften = async (page: string, url: string, port: number): Promise<Seen> => {
  const seen: Seen[] = []
  for (let count = 0; count < looks; count++) seen.push(await look(page, url, port))
  const [middle] = seen.sort((a, b) => a.scores.performance - b.scores.performance).slice(Math.floor(looks / 2))
  if (middle === undefined) throw new Error(`${page} was not measured.`)
  return middle
}

const ratiosOf = ({ page, scores, shift }: Seen): Measured[] => [
  measure({ goal: 'PAGES', name: `${page}: performance / 95`, floor: 1, target: 1.03 }, scores.performance / 95),
  measure({ goal: 'PAGES', name: `${page}: accessibility / 100`, floor: 1, target: 1 }, scores.accessibility / 100),
  measure(
    { goal: 'PAGES', name: `${page}: best practices / 100`, floor: 1, target: 1 },
    scores['best-practices'] / 100,
  ),
  measure({ goal: 'PAGES', name: `${page}: layout shift / 0.02`, floor: 1, target: 0 }, shift / 0.02),
]

/** Landing, link, model and documentation page in Lighthouse's mobile profile. */
export const measurePages = async (world: World): Promise<Report> => {
  const copy = world.copy('pages')
  // Use the address as the name, so that the browser stays on loopback.
  const { PUBLIC_URL: _, ...env } = world.env(copy)
  const server = await startServer('Countersign', registryProgram, env, world.log(copy))
  const debugging = await freePort()
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', `--remote-debugging-port=${debugging}`],
  })
  try {
    const base = `http://127.0.0.1:${server.port}`
    const [model_id] = world.owner.models
    const minted = await fetch(`${base}/api/v1/create-verification`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-API-Key': world.owner.apiKey },
      body: JSON.stringify({ model_id, challenge: `blue otter ${randomBytes(1)[0]}` }),
    })
    const { verification_url: link = '' } = (await minted.json()) as { verification_url?: string }
    const pages = { landing: base, link, model: `${base}/models/${model_id}`, docs: `${base}/docs` }
    const seen: Seen[] = []
    for (const [page, url] of Object.entries(pages)) seen.push(await lookOften(page, url, debugging))
    const painted = seen.find(({ page }) => page === 'link')?.paintedMs ?? Number.NaN
    return {
      measured: [
        ...seen.flatMap(ratiosOf),
        measure({ goal: 'PAGES', name: 'link: largest paint / 2.3 s', floor: 1, target: 0.9 }, painted / 2_300),
      ],
      details: table(
        ['', 'performance', 'accessibility', 'best practices', 'largest paint, ms', 'blocked, ms', 'layout shift'],
        seen.map(({ page, scores, paintedMs, blockedMs, shift }) => [
          page,
          ...categories.map((category) => scores[category]),
          paintedMs.toFixed(0),
          blockedMs.toFixed(0),
          shift.toFixed(3),
        ]),
      ),
    }
  } finally {
    await browser.close()
    await server.kill()
  }
}
