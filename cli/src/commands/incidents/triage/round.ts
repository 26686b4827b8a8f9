import { join } from 'node:path'
import type { Countersign } from '@countersign/sdk'
import type { Incident } from '@countersign/sdk/contract'
import type { Call } from '../../../args/command.ts'
import { configFolder } from '../../../config/profile.ts'
import type { Context } from '../../../context.ts'
import { usage } from '../../../failure.ts'
import { readTemplates } from './answers.ts'
import { type Desk, decide } from './desk.ts'
import { openKeyboard } from './keyboard.ts'
import { createMemory, type Memory } from './memory.ts'
import { inOrder, isOpen } from './queue.ts'
import { closedIn, emptyTally, summaryOf, type Tally } from './tally.ts'

interface Query {
  severity: Incident['severity'] | undefined
}

/** One round: shows every open report once, the most urgent first, until none is left or the person quits. */
export const triage = async (context: Context, { flags }: Call): Promise<void> => {
  if (!context.isInteractive)
    throw usage(
      'Triage requires an interactive terminal',
      'In a script, use: countersign incidents list --status reported --json, then countersign incidents respond - --json --yes',
    )
  const named = flags.text('templates')
  const templates = readTemplates(
    named === undefined ? undefined : { name: named, bytes: await context.files.read(named) },
  )
  const client = await context.connect()
  const query = { severity: flags.text('severity') as Query['severity'] }
  const [{ id: account }, first] = await Promise.all([client.providers.me(), listOpen(client, query)])

  const path = join(configFolder(context.env), 'triage', `${context.profile.name}.json`)
  const memory = createMemory(path, `${new URL(context.setting('api_url') ?? '').origin} ${account}`, !context.isDryRun)
  if (flags.isOn('restart')) memory.again()
  const tally = emptyTally()
  const keyboard = openKeyboard(context.signal, context.env)
  const desk: Desk = {
    client,
    keyboard,
    memory,
    paint: context.errorPaint,
    templates,
    tally,
    isDryRun: context.isDryRun,
  }
  const announceDraft = () => {
    if (memory.holdsAny())
      keyboard.show('\nSkipped reports and drafts are kept. Continue with: countersign incidents triage\n')
  }
  context.signal.addEventListener('abort', announceDraft)
  try {
    await work(desk, first, { isWhole: query.severity === undefined, readAgain: () => listOpen(client, query) })
  } finally {
    context.signal.removeEventListener('abort', announceDraft)
    keyboard.close()
  }
  context.out.print({
    value: tally,
    ids: [...closedIn(tally), ...tally.answered.investigating],
    text: () => summaryOf(tally),
  })
}

const listOpen = async (client: Countersign, query: Query): Promise<Incident[]> => {
  const lists = (['reported', 'investigating'] as const).map((status) =>
    client.incidents.list({ ...query, status, limit: 100 }).toArray(),
  )
  return (await Promise.all(lists)).flat()
}

interface Source {
  /** All reports, not only those of one severity. */
  isWhole: boolean
  readAgain: () => Promise<Incident[]>
}

const work = async (desk: Desk, first: readonly Incident[], { isWhole, readAgain }: Source) => {
  const { keyboard, memory, tally } = desk
  let open: readonly Incident[] = first
  const passed = open.filter(({ id }) => memory.isPassed(id)).length
  if (passed > 0)
    keyboard.show(
      `Continuing: ${passed} of ${open.length} were already shown. To see all: countersign incidents triage --restart\n`,
    )
  for (let shown = 1; ; ) {
    open = stillOpen(open, tally)
    const waiting = inQueue(open, memory)
    const [incident] = waiting
    if (incident !== undefined) {
      const step = await decide(desk, incident, `${shown} of ${shown + waiting.length - 1}`, open)
      shown++
      if (step === 'quit') break
      continue
    }
    const now = desk.isDryRun ? open : stillOpen(await readAgain().catch(() => open), tally)
    const isMore = inQueue(now, memory).length > 0
    open = now
    if (isMore) keyboard.show('\nNew reports have arrived.\n')
    else if (!(await isAgain(desk, open))) {
      const ids = open.map(({ id }) => id)
      if (isWhole) memory.forget(ids)
      else memory.again(ids)
      break
    }
  }
  tally.left = stillOpen(open, tally).length
}

const stillOpen = (incidents: readonly Incident[], tally: Tally) => {
  const closed = closedIn(tally)
  return incidents.filter((incident) => isOpen(incident) && !closed.has(incident.id))
}

/** The remaining reports, those with a draft first. */
const inQueue = (open: readonly Incident[], memory: Memory) => {
  const waiting = inOrder(open).filter(({ id }) => !memory.isPassed(id))
  return waiting.toSorted(
    (left, right) => Number(memory.begun(right.id) !== undefined) - Number(memory.begun(left.id) !== undefined),
  )
}

/** Asks whether to show the skipped reports again. */
const isAgain = async ({ keyboard, memory, paint, tally }: Desk, open: readonly Incident[]): Promise<boolean> => {
  const skipped = open
    .map(({ id }) => id)
    .filter((id) => memory.isPassed(id) && !tally.answered.investigating.includes(id))
  if (skipped.length === 0) return false
  keyboard.show(`\nThat was the last one. ${paint.bold(`${skipped.length} skipped: a show them again · q finish`)}\n`)
  if ((await keyboard.press(['a', 'q'], 'fresh')) === 'q') return false
  tally.skipped.length = 0
  memory.again(skipped)
  return true
}
