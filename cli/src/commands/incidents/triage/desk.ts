import { ApiError, ConnectionError, type Countersign, TimeoutError } from '@countersign/sdk'
import { type Incident, IncidentResponse, type TrailEvent } from '@countersign/sdk/contract'
import { readWithTag } from '../../../registry/edit-tag.ts'
import { type Paint, printable } from '../../../render/output.ts'
import { quoteBlock } from '../../../render/quotation.ts'
import { reportOf } from '../../../render/report.ts'
import { shownTime } from '../../../render/shown-time.ts'
import { type Decision, sendDecision } from '../send-decision.ts'
import { type Answer, type Template, templatesFor } from './answers.ts'
import type { Keyboard } from './keyboard.ts'
import type { Memory } from './memory.ts'
import { duplicatesOf, isOpen } from './queue.ts'
import { storyOf } from './story.ts'
import { closedIn, type Tally } from './tally.ts'

export interface Desk {
  client: Countersign
  keyboard: Keyboard
  memory: Memory
  paint: Paint
  templates: readonly Template[]
  tally: Tally
  isDryRun: boolean
}

/** A report as the person saw it. */
interface Seen {
  record: Incident
  etag: string | null
}

/** What happened to a report that was shown. */
export type Step = 'next' | 'quit'

const answerKeys: Readonly<Record<string, Answer>> = { r: 'resolved', i: 'investigating', d: 'dismissed' }

/** Shows one report and carries out decisions until the next one is due. */
export const decide = async (desk: Desk, listed: Incident, place: string, open: readonly Incident[]): Promise<Step> => {
  const { keyboard, memory, paint, tally } = desk
  const say = (text: string) => keyboard.show(`${text}\n`)
  const seen = await readNow(desk.client, listed)
  const { record: incident } = seen
  if (!isOpen(incident)) {
    sayWho(desk, incident)
    tally.closed_by_others.push(incident.id)
    memory.drop(incident.id)
    return 'next'
  }
  const earlier = await readEarlier(desk.client, incident)
  const show = () => say(`\n${storyOf({ incident, place, earlier, paint, columns: keyboard.columns() })}\n`)
  show()
  for (;;) {
    const closed = closedIn(tally)
    const duplicates = duplicatesOf(incident, open).filter(({ id }) => !closed.has(id))
    const begun = memory.begun(incident.id)
    say(paint.bold(menuOf(duplicates.length, begun?.status)))
    const offered = [
      'r',
      'i',
      'd',
      's',
      'v',
      'q',
      '?',
      ...(duplicates.length > 0 ? ['b'] : []),
      ...(begun ? ['c'] : []),
    ]
    const key = await keyboard.press(offered)
    if (key === 'q') return 'quit'
    if (key === 's') {
      memory.pass(incident.id)
      tally.skipped.push(incident.id)
      say('Skipped.')
      return 'next'
    }
    if (key === '?') say(keysInWords(offered))
    else if (key === 'v') show()
    else if (key === 'b') {
      if ((await dismissDuplicates(desk, incident, duplicates)) === 'quit') return 'quit'
    } else {
      const status = key === 'c' ? begun?.status : answerKeys[key]
      const step = status === undefined ? 'back' : await answer(desk, seen, status)
      if (step !== 'back') return step
    }
  }
}

const menuOf = (duplicates: number, begun: Answer | undefined) =>
  [
    ...(begun === undefined ? [] : [`c continue your draft (${begun})`]),
    'r resolve',
    'i investigate',
    'd dismiss',
    ...(duplicates === 0 ? [] : [`b dismiss ${duplicates} ${duplicates === 1 ? 'duplicate' : 'duplicates'}`]),
    's skip',
    'v view again',
    '? keys',
    'q quit',
  ].join(' · ')

const keyWords: Readonly<Record<string, string>> = {
  c: 'continue your draft',
  r: 'resolve: say what was done; final',
  i: 'investigate: say that you are looking into it; the report stays open',
  d: 'dismiss, with or without a message; final',
  b: 'dismiss the duplicates of this report; final',
  s: 'skip: show it again after the others',
  v: 'view it again',
  q: 'quit; skipped reports and drafts are kept',
}

const keysInWords = (offered: readonly string[]) =>
  [
    ...Object.entries(keyWords).flatMap(([key, words]) => (offered.includes(key) ? [`  ${key}  ${words}`] : [])),
    'Nothing is sent until you have reviewed it and pressed y.',
  ].join('\n')

/** The report as it is now, which may have been listed a while ago, with the ETag that its answer is sent with. */
const readNow = async (client: Countersign, listed: Incident): Promise<Seen> => {
  try {
    return await readWithTag(client.incidents.get(listed.id))
  } catch {
    return { record: listed, etag: null }
  }
}

/** An unanswered report has no trail. If the trail can't be read, carry on without it. */
const readEarlier = async (client: Countersign, { id, status }: Incident): Promise<TrailEvent[]> => {
  if (status === 'reported') return []
  try {
    const { events } = await client.account.events({ subject_type: 'incident', subject_id: id })
    return events.filter(({ action }) => action !== 'incident.reported').toReversed()
  } catch {
    return []
  }
}

/* ---- one answer ---- */

const answer = async (desk: Desk, seen: Seen, status: Answer): Promise<Step | 'back'> => {
  const { keyboard, memory, paint } = desk
  const say = (text: string) => keyboard.show(`${text}\n`)
  const { id } = seen.record
  const begun = memory.begun(id)
  let text = begun?.status === status ? await compose(desk, id, status, begun.text) : await choose(desk, id, status)
  while (text !== undefined) {
    const objection = objectionTo({ status, response: text })
    if (objection === undefined) {
      say(
        `${text === '' ? `${status}, without a message` : `${status}, with:\n${quoteBlock(text, keyboard.columns())}`}`,
      )
      say(paint.bold(`y send${status === 'investigating' ? '' : ' (final)'} · e edit · n back`))
      const key = await keyboard.press(['y', 'e', 'n', 'escape'], 'fresh')
      if (key === 'y') return deliver(desk, seen, { id, status, ...(text !== '' && { response: text }) })
      if (key !== 'e') break
    } else say(paint.yellow(objection))
    text = await compose(desk, id, status, text)
  }
  return 'back'
}

/** A template, your own text, or no message; undefined to go back. */
const choose = async (desk: Desk, id: string, status: Answer): Promise<string | undefined> => {
  const { keyboard, memory, paint } = desk
  const templates = templatesFor(desk.templates, status)
  const mayBeSilent = status !== 'resolved'
  for (const [index, { name, response }] of templates.entries()) {
    keyboard.show(`${paint.bold(`${index + 1}`)} ${printable(name)}\n${quoteBlock(response, keyboard.columns())}\n`)
  }
  const digits = templates.map((_, index) => `${index + 1}`)
  const ready = digits.length === 0 ? [] : [digits.length === 1 ? '1 as above' : `1–${digits.length} as above`]
  keyboard.show(
    `${paint.bold([`${status}:`, ...ready, 'w write your own', ...(mayBeSilent ? ['n no message'] : []), 'Esc back'].join(' · ').replace(': ·', ':'))}\n`,
  )
  const key = await keyboard.press([...digits, 'w', 'escape', ...(mayBeSilent ? ['n'] : [])])
  if (key === 'escape') return undefined
  if (key === 'n') return ''
  if (key === 'w') return compose(desk, id, status, '')
  const text = templates[Number(key) - 1]?.response ?? ''
  memory.keep(id, { status, text })
  return text
}

/** The draft is saved with every key press. */
const compose = async (
  { keyboard, memory, paint }: Desk,
  id: string,
  status: Answer,
  text: string,
): Promise<string | undefined> => {
  keyboard.show(`${paint.dim(`Your answer. ${keyboard.writing}`)}\n`)
  return keyboard.write(text, (written) =>
    written.trim() === '' ? memory.drop(id) : memory.keep(id, { status, text: written }),
  )
}

const objectionTo = (body: { status: Answer; response: string }) => {
  const { error } = IncidentResponse.safeParse(body)
  return error?.issues[0]?.message
}

/* ---- sending ---- */

const deliver = async (desk: Desk, seen: Seen, decision: Decision): Promise<Step | 'back'> => {
  const { keyboard, memory, paint, tally } = desk
  const { id, status } = decision
  for (;;) {
    const met = await send(desk, decision, seen.etag)
    if (met === 'taken') {
      tally.answered[status].push(id)
      // Investigating is not closed: the report comes up again in the next round.
      if (status === 'investigating') memory.pass(id)
    }
    if (met === 'taken' || met === 'closed') {
      memory.drop(id)
      return 'next'
    }
    if (met === 'changed') {
      // It comes up again at once, with the other answer and this draft.
      memory.keep(id, { status, text: decision.response ?? '' })
      keyboard.show('Nothing was sent. Your draft is kept; here is the report as it is now.\n')
      return 'next'
    }
    keyboard.show(`${paint.bold('t try again · s skip, and keep the draft · q quit, and keep the draft')}\n`)
    const key = await keyboard.press(['t', 's', 'q'], 'fresh')
    if (key === 't') continue
    memory.keep(id, { status, text: decision.response ?? '' })
    if (key === 'q') return 'quit'
    memory.pass(id)
    tally.skipped.push(id)
    return 'next'
  }
}

/** Reports the outcome. Only errors that a retry can't fix are thrown; the draft is kept in any case. */
const send = async (
  desk: Desk,
  decision: Decision,
  etag: string | null,
): Promise<'taken' | 'closed' | 'changed' | 'failed'> => {
  const { client, keyboard, paint, tally } = desk
  const say = (text: string) => keyboard.show(`${text}\n`)
  const { id, status } = decision
  if (desk.isDryRun) {
    say(`Would be ${status}: ${id}`)
    return 'taken'
  }
  try {
    const { isTaken, incident } = await sendDecision(client, decision, etag)
    if (isTaken) {
      say(paint.green(`${id} is ${status}.`))
      return 'taken'
    }
    sayWho(desk, incident)
    if (isOpen(incident)) return 'changed'
  } catch (error) {
    const isGone = error instanceof ApiError && error.status === 404
    const mayPass =
      error instanceof ConnectionError ||
      error instanceof TimeoutError ||
      (error instanceof ApiError && error.retryable)
    if (!isGone && !mayPass) throw error
    say(paint.yellow(isGone ? `${id} no longer exists.` : `Not sent. ${printable(reportOf(error).message)}`))
    if (!isGone) return 'failed'
  }
  tally.closed_by_others.push(id)
  return 'closed'
}

/** Shows the answer that someone else gave meanwhile. */
const sayWho = ({ keyboard, paint }: Desk, { id, status, resolved_at, provider_response }: Incident) => {
  const when = resolved_at === null ? '' : `, ${shownTime(resolved_at)}`
  const what = isOpen({ status }) ? 'answered' : 'closed'
  keyboard.show(`${paint.yellow(`Someone else has already ${what} ${id}: ${status}${when}.`)}\n`)
  if (provider_response !== null) keyboard.show(`${quoteBlock(provider_response, keyboard.columns())}\n`)
}

/* ---- duplicates ---- */

const dismissDuplicates = async (desk: Desk, incident: Incident, duplicates: readonly Incident[]): Promise<Step> => {
  const { keyboard, paint, tally } = desk
  const say = (text: string) => keyboard.show(`${text}\n`)
  say(
    'These have the same text, for the same model, ignoring case, spaces and punctuation, and are no more urgent than the one above:',
  )
  for (const { id, created_at, severity, is_verified_report } of duplicates)
    say(`  ${id}  ${shownTime(created_at)}  ${severity}, ${is_verified_report ? 'with a link' : 'without a link'}`)
  const response = `This repeats report ${incident.id}, which is answered there.`
  say(`They will be dismissed, which is final, with:\n${quoteBlock(response, keyboard.columns())}`)
  say(paint.bold(`y dismiss ${duplicates.length} · n back`))
  if ((await keyboard.press(['y', 'n', 'escape'], 'fresh')) !== 'y') return 'next'
  for (const duplicate of duplicates) {
    const { id } = duplicate
    const { record, etag } = await readNow(desk.client, duplicate)
    if (record.status === 'investigating') {
      sayWho(desk, record)
      continue
    }
    const met = await send(desk, { id, status: 'dismissed', response }, etag)
    if (met === 'failed') {
      say('The rest are unchanged.')
      return 'next'
    }
    if (met === 'taken') tally.duplicates_dismissed.push(id)
  }
  return 'next'
}
