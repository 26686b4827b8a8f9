import { type Incident, IncidentResponse, routes } from '@countersign/sdk/contract'
import type { Call } from '../../args/command.ts'
import type { Context } from '../../context.ts'
import { usage } from '../../failure.ts'
import { type Report, reportOf } from '../../render/report.ts'
import { checkIncidentId } from './incident-id.ts'
import { type Decision, sendDecision } from './send-decision.ts'

interface Failed {
  id: Incident['id']
  error: Pick<Report, 'code' | 'message' | 'retryable' | 'exit_code'>
}

/**
 * Answers from stdin, one per line. All are parsed before the first is sent. If the registry rejects one, send the others; stop
 * at errors that would affect them all, such as a lost network.
 */
export const respondToMany = async (context: Context, { flags }: Call): Promise<number> => {
  const shared = { status: flags.text('status'), response: flags.text('message') }
  const decisions = readDecisions(Buffer.from(await context.files.read('-')).toString('utf8'), shared)
  if (context.isDryRun) {
    printDecisions(context, decisions)
    return 0
  }
  const client = await context.connect()
  const closing = decisions.filter(({ status }) => status !== 'investigating').length
  if (closing > 0) await context.confirm(`Close ${closing} ${closing === 1 ? 'incident' : 'incidents'}? This is final.`)
  const answered: Incident[] = []
  const failed: Failed[] = []
  const waiting = [...decisions]
  for (let decision = waiting.shift(); decision !== undefined; decision = waiting.shift()) {
    try {
      const { isTaken, incident } = await sendDecision(client, decision)
      if (isTaken) answered.push(incident)
      else failed.push({ id: decision.id, error: closedByOthers(incident) })
    } catch (error) {
      if (context.signal.aborted) throw error
      const { code, message, retryable, exit_code } = reportOf(error)
      failed.push({ id: decision.id, error: { code, message, retryable, exit_code } })
      if (exit_code !== 5 && exit_code !== 2) break
    }
  }
  const notSent = waiting.map(({ id }) => id)
  context.out.print({
    value: { answered, failed, not_sent: notSent },
    ids: answered.map(({ id }) => id),
    text: (paint) =>
      [
        ...answered.map(({ id, status }) => `${id} is ${status}`),
        ...failed.map(({ id, error }) => `${paint.red('not answered')} ${id}: ${error.message}`),
        ...notSent.map((id) => `${paint.yellow('not sent')} ${id}`),
      ].join('\n'),
  })
  return failed[0]?.error.exit_code ?? 0
}

const closedByOthers = ({ status }: Incident): Failed['error'] => ({
  code: 'incident_closed',
  message: `This incident was ${status}; that is final.`,
  retryable: false,
  exit_code: 6,
})

interface Shared {
  status: string | undefined
  response: string | undefined
}

const readDecisions = (text: string, shared: Shared): Decision[] => {
  const decisions = text
    .split('\n')
    .map((line, index) => ({ line: line.trim(), number: index + 1 }))
    .filter(({ line }) => line !== '')
    .map(({ line, number }) => readDecision(line, number, shared))
  const seen = new Set<string>()
  for (const { id } of decisions) {
    if (seen.has(id)) throw usage(`${id} is answered twice`, 'Answer each report once')
    seen.add(id)
  }
  return decisions
}

/** What a line says overrides the options. */
const readDecision = (line: string, number: number, shared: Shared): Decision => {
  const { id, ...answer } = line.startsWith('{') ? objectOf(line, number) : { id: line }
  const { data, error } = IncidentResponse.safeParse({ ...shared, ...answer })
  if (typeof id !== 'string')
    throw usage(`Line ${number} of the input has no incident ID`, 'Write {"id": "inc_…", "status": "…"}')
  if (data !== undefined) return { id: checkIncidentId(id), ...data }
  const [issue] = error.issues
  throw usage(
    `Line ${number} of the input, ${[...(issue?.path ?? []), issue?.message].join(': ')}`,
    'Give status and response in the line, or --status and --message for all lines',
  )
}

const objectOf = (line: string, number: number): Record<string, unknown> => {
  try {
    return JSON.parse(line) as Record<string, unknown>
  } catch {
    throw usage(`Line ${number} of the input is not valid JSON`)
  }
}

const printDecisions = ({ out, setting }: Context, decisions: readonly Decision[]) => {
  const { method, path } = routes.incidents.respond
  const requests = decisions.map(({ id, ...body }) => ({
    method,
    url: new URL(path.replace(':id', id), setting('api_url')).href,
    body,
  }))
  out.print({
    value: { dry_run: true, requests },
    ids: [],
    text: () => requests.map(({ url, body }) => `${method} ${url}\n${JSON.stringify(body, null, 2)}`).join('\n'),
  })
}
