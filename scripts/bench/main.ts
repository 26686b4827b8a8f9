// `npm run bench` measures every goal, `npm run bench -- G1 G4` some of them; `--json` prints only the ratios on stdout;
// `--beside FOLDER` compares minting and verifying with another version, built in that folder;
// `--large` includes the slow ones: search in a million models (built once), minting with a million links, the transparency log, and pages.

import { parseArgs } from 'node:util'
import { measureAbuse } from './abuse.ts'
import { measureBeside } from './beside.ts'
import { measureBundleVerdict } from './bundle-verdict.ts'
import { measureCliStart } from './cli-start.ts'
import { measureCliVerify } from './cli-verify.ts'
import { measureDurability } from './durability.ts'
import { measureFileDigest } from './file-digest.ts'
import { measureFingerprint } from './fingerprint.ts'
import { measureFolderDigest } from './folder-digest.ts'
import { type Measured, type Report, reaches, table } from './goal.ts'
import { measureGrowth } from './growth.ts'
import { measureLog } from './log.ts'
import { measureMint } from './mint.ts'
import { measureOfflineVerify } from './offline-verify.ts'
import { measureOnlineVerify } from './online-verify.ts'
import { measurePages } from './pages.ts'
import { measurePostgres } from './postgres.ts'
import { measureSearch } from './search.ts'
import { measureSigned } from './signed.ts'
import { createWorld, type World } from './world.ts'

interface Step {
  goals: readonly string[]
  what: string
  run: (world: World) => Promise<Report>
  /** Takes a minute or more: only with `--large`. */
  needsLarge?: true
}

const steps: readonly Step[] = [
  { goals: ['G1', 'G2', 'G5'], what: 'minting, compared with a bare server and oidc-provider', run: measureMint },
  { goals: ['G3'], what: 'the cost of durability', run: measureDurability },
  { goals: ['G4', 'G5'], what: 'online verification, compared with token introspection', run: measureOnlineVerify },
  { goals: ['G6'], what: 'minting with a million stored links', run: measureGrowth, needsLarge: true },
  { goals: ['G7'], what: 'minting on PostgreSQL', run: measurePostgres },
  { goals: ['G9', 'G10'], what: 'offline verification, compared with only the signature', run: measureOfflineVerify },
  { goals: ['G11'], what: 'the digest of a large file, compared with openssl', run: measureFileDigest },
  { goals: ['G12'], what: 'the digest of a folder, compared with openssl, and its memory', run: measureFolderDigest },
  { goals: ['G13'], what: 'starting the command line', run: measureCliStart },
  { goals: ['G14'], what: 'verifying offline on the command line', run: measureCliVerify },
  { goals: ['G15'], what: 'fingerprints of certificates, compared with openssl', run: measureFingerprint },
  { goals: ['G16', 'G17'], what: 'search as the catalogue grows', run: () => measureSearch({ isLarge, say }) },
  { goals: ['G21'], what: 'the verdict on a signed bundle, compared with @sigstore/verify', run: measureBundleVerdict },
  { goals: ['SIGNED'], what: 'signed minting, compared with an API key alone and with mutual TLS', run: measureSigned },
  { goals: ['ABUSE'], what: 'a visitor while one attacker sends all it can', run: measureAbuse, needsLarge: true },
  { goals: ['LOG'], what: 'the transparency log, compared with Tessera', run: measureLog, needsLarge: true },
  { goals: ['PAGES'], what: 'pages in Lighthouse’s mobile profile', run: measurePages, needsLarge: true },
]

const { values: options, positionals } = parseArgs({
  options: { json: { type: 'boolean' }, large: { type: 'boolean' }, beside: { type: 'string' } },
  allowPositionals: true,
})
const isJson = options.json === true
const isLarge = options.large === true
const wanted = positionals.map((goal) => goal.toUpperCase())
const { beside } = options
const chosen: readonly Step[] =
  beside === undefined
    ? steps
    : [
        {
          goals: ['BESIDE'],
          what: `minting and verifying, compared with the version in ${beside}`,
          run: (world) => measureBeside(world, beside),
        },
      ]
const known = chosen.flatMap(({ goals }) => goals)
const say = (line: string) => (isJson ? process.stderr : process.stdout).write(`${line}\n`)

const rowOf = (measured: Measured) => {
  const { goal, name, ratio, floor, target } = measured
  return [
    `${goal} ${name}`,
    ratio.toFixed(2),
    floor.toFixed(2),
    target.toFixed(2),
    reaches(measured, target) ? 'target' : reaches(measured, floor) ? 'above the floor' : 'MISSED',
  ]
}

const main = async () => {
  const unknown = wanted.find((goal) => !known.includes(goal))
  if (unknown) throw new Error(`Unknown goal: ${unknown}. Known goals: ${known.join(', ')}.`)
  const isWanted = (goal: string) => wanted.length === 0 || wanted.includes(goal)
  const all: Measured[] = []
  const skipped: string[] = []
  const world = await createWorld()
  try {
    for (const { goals, what, run, needsLarge } of chosen.filter(({ goals }) => goals.some(isWanted))) {
      if (needsLarge && !isLarge) {
        skipped.push(`${goals.join(', ')} not measured: only with --large`)
        continue
      }
      say(`\n${goals.join(', ')}: ${what}`)
      const report = await run(world)
      for (const line of report.details) say(`  ${line}`)
      if (report.skipped) skipped.push(`${goals.join(', ')} not measured: ${report.skipped}`)
      all.push(...report.measured.filter(({ goal }) => isWanted(goal)))
    }
  } finally {
    await world.remove()
  }
  say('')
  for (const line of table(['', 'ratio', 'floor', 'target', ''], all.map(rowOf))) say(line)
  for (const line of skipped) say(line)
  if (isJson)
    process.stdout.write(
      `${JSON.stringify(all.map(({ goal, name, ratio, floor, target }) => ({ goal, name, ratio, floor, target })))}\n`,
    )
  if (!all.every((measured) => reaches(measured, measured.floor))) process.exitCode = 1
}

await main()
