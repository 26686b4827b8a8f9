import { Refusal } from '@countersign/sdk/contract'
import type { Operator, OperatorCommand } from '../operator/command.ts'
import { alignRows, cutLine, minuteOf } from '../operator/lines.ts'
import { closeDispute, findAnyDispute, listOpenDisputes, type OperatorDispute } from '../transparency/dispute-store.ts'
import { findAnyIncident, listAnyIncidents, markRestored, markWithdrawn, type OperatorIncident } from './store.ts'

const stateOf = ({ counts_publicly, withdrawn_at }: OperatorIncident) =>
  withdrawn_at !== null ? 'withdrawn' : counts_publicly === 1 ? 'counts' : 'does not count'

/** A block per report: its state, what it is about, and its title. */
const linesOf = (rows: readonly OperatorIncident[]) => {
  const heads = alignRows(rows.map((row) => [row.id, minuteOf(row.created_at), row.status, stateOf(row)]))
  return rows.flatMap((row, index) => [
    heads[index] ?? '',
    `  ${row.category}, ${row.severity}: ${row.domain ?? row.provider_id} ${row.api_model_identifier ?? row.model_id}`,
    cutLine(`  ${JSON.stringify(row.title)}`),
  ])
}

/** Urgent reports: an owner says that an entry of the log was not them. */
const disputeLines = (rows: readonly OperatorDispute[]) => {
  const heads = alignRows(
    rows.map((row) => [row.id, minuteOf(row.created_at), row.closed_at === null ? 'URGENT' : 'closed', 'log entry']),
  )
  return rows.flatMap((row, index) => [
    heads[index] ?? '',
    `  “This was not me”: ${row.provider_id}, entry ${row.position}, ${row.type ?? 'unknown'} of ${row.at === null ? 'an unknown time' : minuteOf(row.at)}`,
    `  leaf hash ${row.leaf_hash}`,
  ])
}

const showDispute = ({ print }: Operator, row: OperatorDispute) => {
  for (const line of disputeLines([row])) print(line)
  print(`subject: ${row.subject ?? 'unknown'}`)
  print(`reported by: ${row.actor}`)
  if (row.closed_at !== null) print(`closed: ${minuteOf(row.closed_at)} ${row.closed_reason ?? ''}`.trim())
}

const withdrawDispute = async ({ database, events, now, print }: Operator, id: string, reason: string | null) => {
  await database.transaction(async (tx) => {
    const closed = await closeDispute(tx, { id, reason, at: now() })
    if (!closed) throw new Refusal('incident_closed', `The report ${id} was already closed.`)
    await events.record(tx, {
      provider_id: closed.provider_id,
      actor: 'operator',
      action: 'incident.withdrawn',
      subject: ['incident', id],
      after: { index: Number(closed.position), ...(reason && { reason }) },
    })
  })
  print(`The report ${id} is closed.`)
}

const get = async ({ database }: Pick<Operator, 'database'>, id: string) => {
  const row = await findAnyIncident(database.read, id)
  if (!row) throw new Refusal('not_found', `There is no report ${id}.`)
  return row
}

const list = async ({ database, print }: Operator, providerOrDomain: string | undefined) => {
  for (const line of disputeLines(await listOpenDisputes(database.read, providerOrDomain))) print(line)
  for (const line of linesOf(await listAnyIncidents(database.read, providerOrDomain))) print(line)
}

const show = async (operator: Operator, id: string) => {
  const dispute = await findAnyDispute(operator.database.read, id)
  if (dispute) return showDispute(operator, dispute)
  const row = await get(operator, id)
  for (const line of linesOf([row])) operator.print(line)
  const facts = {
    title: row.title,
    description: row.description,
    reference: row.reference_url,
    answer: row.provider_response,
    withdrawn:
      row.withdrawn_at === null
        ? null
        : `${new Date(row.withdrawn_at).toISOString()} ${row.withdrawn_reason ?? ''}`.trim(),
  }
  for (const [name, value] of Object.entries(facts))
    if (value !== null) operator.print(`${name}: ${JSON.stringify(value)}`)
}

const withdraw = async (operator: Operator, id: string, reason: string | null) => {
  if (await findAnyDispute(operator.database.read, id)) return withdrawDispute(operator, id, reason)
  const { provider_id, counts_publicly } = await get(operator, id)
  const { database, events, now, print } = operator
  await database.transaction(async (tx) => {
    if (!(await markWithdrawn(tx, { provider_id, id, reason, at: now() })))
      throw new Refusal('incident_closed', `The report ${id} was already withdrawn.`)
    await events.record(tx, {
      provider_id,
      actor: 'operator',
      action: 'incident.withdrawn',
      subject: ['incident', id],
      before: { counts_publicly: counts_publicly === 1 },
      after: { counts_publicly: false, ...(reason && { reason }) },
    })
  })
  print(`The report ${id} no longer counts in public.`)
}

const restore = async (operator: Operator, id: string) => {
  const { provider_id, counts_publicly } = await get(operator, id)
  const { database, events, now, print } = operator
  await database.transaction(async (tx) => {
    if (!(await markRestored(tx, { provider_id, id, at: now() })))
      throw new Refusal('incident_closed', `The report ${id} was not withdrawn.`)
    await events.record(tx, {
      provider_id,
      actor: 'operator',
      action: 'incident.restored',
      subject: ['incident', id],
      after: { counts_publicly: counts_publicly === 1 },
    })
  })
  print(`The report ${id} is restored.`)
}

export const reportsCommand: OperatorCommand = {
  usage: [
    ['reports list [DOMAIN|PROVIDER]', 'list open “not me” reports, then the newest 200 others'],
    ['reports show ID', 'print a report with its text and answer'],
    ['reports withdraw ID [REASON]', 'take a report out of the public counts, or close an urgent one'],
    ['reports restore ID', 'count a withdrawn report again'],
  ],
  run: async (operator, [action, id, ...words]) => {
    if (action === 'list' && words.length === 0) await list(operator, id)
    else if (id === undefined) return false
    else if (action === 'withdraw') await withdraw(operator, id, words.join(' ') || null)
    else if (words.length > 0) return false
    else if (action === 'show') await show(operator, id)
    else if (action === 'restore') await restore(operator, id)
    else return false
    return true
  },
}
