import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { LogError, type LogPolicy, verifyCheckpoint } from '@countersign/sdk/log'
import { type Disclosure, hiddenFields, isPrivate } from '@countersign/sdk/log/entries'
import { tilePath, tileWidth } from '@countersign/sdk/log/tiles'
import { z } from 'zod'
import type { Call, Flags } from '../../../args/command.ts'
import type { Context } from '../../../context.ts'
import { Failure, usage } from '../../../failure.ts'
import { createDurably } from '../durable-file.ts'
import { type Evidence, formatEvidence } from '../evidence.ts'
import { asFailure, cosignedAt } from '../log-checkpoint.ts'
import { type ChosenLog, chooseLog } from '../log-policy.ts'
import { createFetcher, createLogSource } from '../log-source.ts'
import { witnessSources } from '../witness-sources.ts'
import { type Finding, findingOf, textsOf, type Watched } from './findings.ts'
import { advance, compareTrees, fetchCheckpoint, readAgain, type Shown, type Signed, signedOf } from './follow-log.ts'
import { Misbehaviour } from './misbehaviour.ts'
import { type MonitorState, readState, saveState } from './monitor-state.ts'
import { findingText, reportText } from './monitor-text.ts'
import type { ReadEntry } from './read-entries.ts'

/** One look at the log. */
export interface Report {
  origin: string
  size: number
  witnesses: { name: string; at: string }[]
  is_witnessed: boolean
  is_pinned: boolean
  new_entries: number
  /** Entries of a kind that this version does not know. */
  unknown_entries: number
  /** Public entries with names that the log does not show: erased, or withheld. */
  unnamed_entries: number
  findings: Finding[]
  /** Other places that showed the log's checkpoint. */
  sources: { url: string; state: 'agrees' | 'could_not_check' }[]
  evidence: { kind: Evidence['kind']; file: string } | null
}

interface Monitor {
  context: Context
  log: ChosenLog
  watched: Watched
  /** Places to compare with. */
  others: readonly { url: string; checkpoint(): Promise<string> }[]
  patienceMs: number
}

/** `countersign log monitor` */
export const runMonitor = async (context: Context, { flags }: Call) => {
  const { out, signal, files } = context
  const folder = flags.text('state') === undefined ? undefined : files.pathOf(flags.text('state') ?? '')
  let state = readState(folder)
  const log = await chooseLog(context, flags, state.policy)
  if (!log.isPinned)
    out.warn(
      folder === undefined
        ? 'Trusting the key that the registry shows now. Pin it with --policy or --state.'
        : 'Trusting the key that the registry shows now. From now on it has to be the same.',
    )
  if (flags.text('policy') === undefined) state = { ...state, policy: log.text }
  const monitor: Monitor = {
    context,
    log,
    watched: {
      domains: flags.list('domain'),
      names: flags.list('name'),
      providers: flags.list('provider'),
    },
    others: await otherPlaces(context, log, flags.list('source')),
    patienceMs: secondsOf(flags, 'patience', 10) * 1_000,
  }
  const everyMs = secondsOf(flags, 'every', 10) * 1_000
  const isFollowing = flags.isOn('follow')
  let wasSeen = true
  if (flags.isOn('recheck')) await recheck(monitor, state, folder)
  for (;;) {
    const looked = await look(monitor, state, folder).catch((error: unknown) => {
      signal.throwIfAborted()
      if (!isFollowing || !(error instanceof Failure || error instanceof LogError)) throw asFailure(error)
      out.warn(`${error.message}. Trying again in ${everyMs / 1_000} s.`)
      return undefined
    })
    if (looked) {
      state = looked.state
      const { report } = looked
      if (!isFollowing || report.evidence) printReport(context, report, isFollowing)
      else for (const finding of report.findings) printFinding(context, finding)
      if (report.evidence) return 3
      const isSeen = report.is_witnessed || log.policy.quorum === 'none'
      if (wasSeen && !isSeen) out.warn('Too few of the policy’s witnesses have seen this tree: others may see another.')
      // Alerts read the lines, not the warnings.
      if (isFollowing && wasSeen !== isSeen && !report.evidence) printReport(context, { ...report, findings: [] }, true)
      wasSeen = isSeen
      if (report.unnamed_entries > 0)
        out.warn(`Entries whose names the log does not show: ${report.unnamed_entries}. They were erased or withheld.`)
      if (report.unknown_entries > 0)
        out.warn(
          `Entries of a type that this version does not know: ${report.unknown_entries}. It cannot say what they are about.`,
        )
    }
    if (!isFollowing) return wasSeen ? 0 : 9
    await wait(everyMs, undefined, { signal })
  }
}

const secondsOf = (flags: Flags, name: string, fallback: number): number => {
  const seconds = Number(flags.text(name) ?? fallback)
  if (!(seconds >= 0 && seconds <= 86_400)) throw usage(`--${name} must be a number of seconds up to 86400`)
  return seconds
}

/** The witnesses of the policy that have an address, and the copies of the log that the person names. */
const otherPlaces = async (context: Context, { policy }: ChosenLog, copies: readonly string[]) => {
  const get = await createFetcher(context)
  return [...witnessSources(policy, get).values(), ...copies.map((url) => createLogSource(url, get))]
}

const printReport = ({ out }: Context, report: Report, isFollowing: boolean) => {
  const result = { value: report, ids: report.findings.map(({ index }) => String(index)), text: reportText(report) }
  if (isFollowing) out.printLine(result)
  else out.print(result)
}

const printFinding = ({ out }: Context, finding: Finding) =>
  out.printLine({ value: finding, ids: [String(finding.index)], text: findingText(finding) })

/** Writes evidence to the state folder, or to the current one. */
const saveEvidence = ({ files }: Context, folder: string | undefined, evidence: Evidence) => {
  const { name, text } = formatEvidence(evidence)
  const file = join(folder ?? files.pathOf('.'), name)
  createDurably(file, text)
  return { kind: evidence.kind, file }
}

/** Verifies what is new since the last look. */
const look = async (
  monitor: Monitor,
  before: MonitorState,
  folder: string | undefined,
): Promise<{ state: MonitorState; report: Report }> => {
  const { context, log } = monitor
  const sources: Report['sources'] = []
  let state = before
  let read: Read = { entries: 0, unknown: 0, unnamed: 0, findings: [], providers: before.providers }
  let shown: Shown | undefined
  let evidence: Report['evidence'] = null
  try {
    shown = await fetchGrown(monitor, signedOf(before))
    let reading: Read = { ...read, findings: [] }
    const advanced = await advance(before, shown, log, async (entries) => {
      reading = await readFurther(monitor, reading, entries)
    })
    state = { ...advanced, providers: [...reading.providers] }
    await compareWithOthers(monitor, state, shown.policy, sources)
    read = reading
    saveState(folder, state)
  } catch (error) {
    if (!(error instanceof Misbehaviour)) throw error
    evidence = saveEvidence(context, folder, error.evidence)
  }
  const report: Report = {
    origin: shown?.origin ?? log.policy.logs[0]?.key.name ?? '',
    size: shown?.size ?? before.edge.size,
    witnesses: cosignedAt(shown?.cosigned ?? new Map()),
    is_witnessed: shown?.isWitnessed === true && log.policy.quorum !== 'none',
    is_pinned: log.isPinned,
    new_entries: read.entries,
    unknown_entries: read.unknown,
    unnamed_entries: read.unnamed,
    findings: read.findings,
    sources,
    evidence,
  }
  return { state, report }
}

/** Waits until the log shows at least the tree that was seen. A cache may lag behind for seconds; then it is a rollback. */
const fetchGrown = async ({ context, log, patienceMs }: Monitor, seen: Signed | undefined) => {
  const until = Date.now() + patienceMs
  for (;;) {
    const shown = await fetchCheckpoint(log)
    if (seen) checkSameLog(seen, shown)
    if (!seen || shown.size >= seen.size) return shown
    if (Date.now() >= until) {
      // Its own tiles may show more: that it is not only older, but different.
      await compareTrees(shown, seen, log.source).catch((error: unknown) => {
        if (error instanceof Misbehaviour && error.evidence.kind === 'fork') throw error
      })
      const checkpoints: [string, string] = [seen.note, shown.note]
      throw new Misbehaviour({ evidence: 'countersign-log/1', kind: 'rollback', checkpoints })
    }
    await wait(1_000, undefined, { signal: context.signal })
  }
}

const originOf = ({ note }: Signed) => note.split('\n', 1)[0]

/** Trees of two logs of one policy differ without being a fork. */
const checkSameLog = (seen: Signed, shown: Signed) => {
  if (originOf(seen) !== originOf(shown))
    throw new LogError(`This is the log ${originOf(shown)}, not ${originOf(seen)}`)
}

const compareWithOthers = async (
  monitor: Monitor,
  state: MonitorState,
  policy: LogPolicy,
  sources: Report['sources'],
) => {
  const { context, log, others } = monitor
  const own = signedOf(state)
  for (const { url, checkpoint } of own ? others : []) {
    try {
      const note = await checkpoint()
      const other: Signed = { ...(await verifyCheckpoint(note, policy)), note }
      if (own) checkSameLog(own, other)
      if (own && other.size <= own.size) await compareTrees(other, own, log.source)
      // The log publishes a tree a little later than witnesses see it.
      else await compareTrees(other, await fetchGrown(monitor, other), log.source)
      sources.push({ url, state: 'agrees' })
    } catch (error) {
      context.signal.throwIfAborted()
      if (!(error instanceof Failure || error instanceof LogError)) throw error
      context.out.warn(`${url}: ${error.message}`)
      sources.push({ url, state: 'could_not_check' })
    }
  }
}

const Revealed = z.object({
  entries: z.record(z.string(), z.array(z.object({ field: z.string(), salt: z.string(), value: z.string() }))),
})

/** The texts of hidden fields, by the index of the entry: beside the log, because they can be erased. */
const readTexts = async ({ log }: Monitor, entries: readonly ReadEntry[]) => {
  const hiding = entries.filter(({ entry }) => entry && (isPrivate(entry) || hiddenFields(entry.type).length > 0))
  const bundles = new Set(hiding.map(({ index }) => Math.floor(index / tileWidth)))
  const texts = new Map<number, Disclosure[]>()
  for (const index of bundles) {
    const path = tilePath({ level: 'entries', index, width: tileWidth }).replace('tile/entries', 'revealed')
    const found = Revealed.safeParse(await log.source.json(path)).data
    for (const [at, disclosures] of Object.entries(found?.entries ?? {})) texts.set(Number(at), disclosures)
  }
  return texts
}

/** The findings of a look so far. */
interface Read {
  entries: number
  unknown: number
  unnamed: number
  findings: Finding[]
  /** Providers whose entries are reported from here on. */
  providers: readonly string[]
}

const readFurther = async (monitor: Monitor, before: Read, entries: readonly ReadEntry[]): Promise<Read> => {
  const { watched } = monitor
  const revealed = await readTexts(monitor, entries)
  const providers = new Set([...watched.providers, ...before.providers])
  const isWatching = watched.domains.length + watched.names.length + watched.providers.length > 0
  const read = { ...before, entries: before.entries + entries.length }
  for (const each of entries) {
    const { index, entry } = each
    const texts = entry ? textsOf(entry, revealed.get(index) ?? []) : {}
    if (entry && !isPrivate(entry) && hiddenFields(entry.type).some((field) => !Object.hasOwn(texts, field)))
      read.unnamed++
    const finding = findingOf(each, texts, { ...watched, providers: isWatching ? [...providers] : [] })
    if (!entry && !finding) read.unknown++
    if (!finding) continue
    read.findings.push(finding)
    // From here on, everything that this provider does is of interest.
    if (isWatching && entry && !isPrivate(entry) && 'provider' in entry) providers.add(entry.provider)
  }
  return { ...read, providers: [...providers] }
}

/** `--recheck`: reads earlier entries again. */
const recheck = async ({ context, log }: Monitor, state: MonitorState, folder: string | undefined) => {
  const own = signedOf(state)
  if (!own) return
  try {
    await readAgain(state, own, log)
  } catch (error) {
    if (!(error instanceof Misbehaviour)) throw asFailure(error)
    const { file, kind } = saveEvidence(context, folder, error.evidence)
    throw new Failure('log_changed', 3, `The log changed an entry that was read before (${kind})`, `Evidence: ${file}`)
  }
}
