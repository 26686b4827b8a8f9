import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { unpackFromDebian } from '../../tests/support/debian.ts'
import { startPostgres } from '../../tests/support/postgres.ts'
import { type Drill, type Fault, must } from './support/fault.ts'
import { mustLive } from './support/load.ts'
import { type InstallOptions, type Registry, startRegistry } from './support/registry.ts'
import { type Count, countInPostgres, countInSqlite } from './support/stored.ts'
import { run } from './support/tools.ts'

const findLibrary = async () => {
  const root = await unpackFromDebian(['libfaketime'])
  must(root !== undefined, 'libfaketime cannot be downloaded from Debian')
  const { stdout } = await run('find', [root, '-name', 'libfaketimeMT.so.1'])
  const [library] = stdout.trim().split('\n')
  must(Boolean(library), 'the package libfaketime has no library')
  return library ?? ''
}

/** A running registry whose clock is moved, while timers go on as usual. */
const moveClock = async (
  drill: Drill,
  library: string,
  options: InstallOptions,
  countFor: (registry: Registry) => Count,
) => {
  const file = join(mkdtempSync(join(tmpdir(), 'countersign-clock-')), 'clock')
  drill.onEnd(() => rmSync(dirname(file), { recursive: true }))
  const setClock = (offset: string) => writeFileSync(file, `${offset}\n`)
  setClock('+0')
  const registry = await startRegistry(drill, {
    ...options,
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
  })
  const mint = async () => {
    const { status, body, text } = await registry.mint()
    must(status === 201, `a link got ${status} after the clock moved: ${text.slice(0, 300)}`)
    return String(body.verification_url)
  }
  const mustGet = async (link: string, expected: 'verified' | 'link_expired', when: string) => {
    const { body } = await registry.check(link)
    const found = body.code ?? body.result
    must(found === expected, `a link ${when} is ${found}, not ${expected}`)
  }

  const count = countFor(registry)
  const before = await mint()
  setClock('+20m')
  await mustGet(before, 'link_expired', 'of 20 minutes ago')
  const ahead = await mint()
  await mustGet(ahead, 'verified', 'of the clock ahead')
  await untilJobsRan(count)
  setClock('+0')
  await mustGet(ahead, 'link_expired', 'of the clock ahead, after it went back,')
  await mustGet(before, 'verified', 'of before')
  await untilBounded(count)
  setClock('+21m')
  await mustGet(ahead, 'link_expired', 'of the clock ahead, 21 minutes later,')

  setClock('-20m')
  const behind = await mint()
  await mustGet(behind, 'verified', 'of the clock behind')
  setClock('+0')
  await mustGet(behind, 'link_expired', 'of 20 minutes ago')
  await mustGet(await mint(), 'verified', 'of now')
  const ready = await registry.get('/readyz?for=writes')
  must(ready.status === 200, `/readyz?for=writes got ${ready.status}`)
  mustLive(registry)
}

const minute = 60_000

const until = async (count: Count, isEnough: (found: number) => boolean, text: string) => {
  const started = performance.now()
  while (!isEnough(await count(text))) {
    must(performance.now() - started < minute, `after a minute it does not hold: ${text}`)
    await wait(250)
  }
}

/** Email is sent every five seconds. */
const untilJobsRan = (count: Count) =>
  until(
    count,
    (found) => found > 0,
    `select count(*) from jobs where due_at > ${Date.now() + 19 * minute} and name = 'mails'`,
  )

/** Jobs notice that the clock went back, and end links that were minted in its future. */
const untilBounded = (count: Count) =>
  until(
    count,
    (found) => found === 0,
    `select count(*) from verifications where issued_at > ${Date.now() + minute} and expires_at > issued_at`,
  )

export const fault: Fault = {
  name: 'clocks',
  does: 'the registry’s clock 20 minutes ahead, back, behind and right again, on SQLite and PostgreSQL',
  run: async (drill) => {
    const library = await findLibrary()
    await moveClock(drill, library, {}, ({ folder }) => countInSqlite(folder))
    const postgres = await startPostgres()
    drill.onEnd(postgres.stop)
    const databaseUrl = postgres.urlOf('postgres')
    await moveClock(drill, library, { databaseUrl }, () => countInPostgres(databaseUrl))
    return 'no link is valid longer than 15 minutes after the time it was minted; minting goes on'
  },
}
