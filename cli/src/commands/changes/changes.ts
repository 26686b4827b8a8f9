import { setTimeout as wait } from 'node:timers/promises'
import { ApiError, type Countersign, NotFoundError } from '@countersign/sdk'
import { isId, type StagedChange } from '@countersign/sdk/contract'
import { askedBy, stagedValues } from '@countersign/sdk/words'
import { addDryRun, type Command, type Declare, example } from '../../args/command.ts'
import type { Context } from '../../context.ts'
import { Failure, usage } from '../../failure.ts'
import { printRequest } from '../../registry/request.ts'
import { facts, table } from '../../render/output.ts'
import { exitOf } from '../../render/report.ts'
import { shownTime } from '../../render/shown-time.ts'

const exampleId = 'chg_06dh0e3x7c9bw4vjz2n8qk5ytm'

export const declare: Declare = (changes) => {
  example(changes, 'changes list', `changes show ${exampleId}`)
  declareList(changes)
  declareShow(changes)
  declareApprove(changes)
  declareReject(changes)
  declareCancel(changes)
}

const declareList = (changes: Command) => {
  const list = changes
    .command('list')
    .summary('List changes that wait for approval')
    .description(
      'Lists the changes that wait for a person or take effect later, then the last decisions. Only protected providers have them.',
    )
    .action(async (context) => {
      const found = await (await context.connect()).changes.list()
      context.out.print({
        value: found,
        ids: found.changes.map(({ id }) => id),
        text: (paint) =>
          found.changes.length === 0
            ? 'No changes are waiting.'
            : table(['ID', 'CALL', 'STATE', 'ASKED BY', 'UNTIL'], found.changes.map(rowOf), paint),
      })
    })
  example(list, 'changes list --json')
}

const isWaiting = (state: StagedChange['state']) => state === 'open' || state === 'delayed'

const rowOf = (change: StagedChange) => [
  change.id,
  change.endpoint,
  change.state,
  askedBy(change),
  isWaiting(change.state) ? shownTime(change.expires_at) : '',
]

const readId = (given: string) => {
  if (isId('chg', given)) return given
  throw usage(
    `${JSON.stringify(given)} is not a change ID; change IDs are chg_ and 26 characters`,
    'See: countersign changes list',
  )
}

const noChange = (id: string) => (error: unknown) => {
  if (!(error instanceof NotFoundError)) throw error
  throw new Failure('not_found', 5, `There is no change ${id}`, 'See: countersign changes list', { cause: error })
}

const declareShow = (changes: Command) => {
  const show = changes
    .command('show')
    .summary('Show a change and what it would do')
    .description(
      'Shows a call that waits for approval, or that takes effect later. With --wait, prints the page to approve it on and waits until someone decides: exits 0 if it was approved, 1 if it was rejected or expired, and 10 if it still waits after --for.',
    )
    .verdicts(1, 10)
    .argument('<change>', 'chg_…', 'text')
    .option('--wait', 'wait until someone decides')
    .option('--for <seconds>', 'with --wait: how long; default: until the change expires', { kind: 'number' })
    .action(async (context, { args: [given = ''], flags }) => {
      const id = readId(given)
      const client = await context.connect()
      const isWaited = flags.isOn('wait')
      const found = isWaited
        ? await waitForDecision(context, client, id, readPatience(flags.text('for')))
        : await client.changes.get(id).catch(noChange(id))
      context.out.print({ value: found, ids: [found.id], text: (paint) => facts(factsOf(found), paint) })
      return isWaited ? exitOfState(found.state) : 0
    })
  example(show, `changes show ${exampleId}`, `changes show ${exampleId} --wait`)
}

const everyMs = 3_000

const readPatience = (given: string | undefined): number => {
  if (given !== undefined && !/^\d+$/.test(given))
    throw usage(`--for must be a whole number, not ${JSON.stringify(given)}`)
  return given === undefined ? Number.POSITIVE_INFINITY : Number(given) * 1_000
}

const exitOfState = (state: StagedChange['state']): number => {
  if (state === 'open') return 10
  return state === 'rejected' || state === 'expired' || state === 'cancelled' ? 1 : 0
}

/** Waits until someone decides. A change that takes effect later counts as approved. */
const waitForDecision = async (
  context: Context,
  client: Countersign,
  id: string,
  patienceMs: number,
): Promise<StagedChange> => {
  const until = performance.now() + patienceMs
  const first = await client.changes.get(id).catch(noChange(id))
  if (first.state === 'open') context.out.say(`Approve it in a browser: ${pageOf(context, id)}`)
  for (let found = first; ; found = await client.changes.get(id)) {
    if (found.state !== 'open' || performance.now() >= until) return found
    await wait(everyMs, undefined, { signal: context.signal })
  }
}

const pageOf = (context: Context, id: string) =>
  `${context.setting('api_url')}/dashboard?tab=settings&section=changes&change=${encodeURIComponent(id)}`

const factsOf = (change: StagedChange): [string, string][] => [
  ['change', change.id],
  ['what', change.summary],
  ['call', change.endpoint],
  ...stagedValues(change),
  ['asked by', askedBy(change)],
  ['asked', shownTime(change.created_at)],
  ['state', change.state],
  ...(change.state === 'open' ? [['expires', shownTime(change.expires_at)] as [string, string]] : []),
  ...(change.takes_effect_at === null ? [] : [['takes effect', shownTime(change.takes_effect_at)] as [string, string]]),
  ...(change.decided_by === null ? [] : [['decided by', change.decided_by] as [string, string]]),
]

const declareApprove = (changes: Command) => {
  const approve = addDryRun(
    changes
      .command('approve')
      .summary('Approve a change: it happens now')
      .description(
        'Approves a change whole. It needs a person who confirmed with a passkey or an authenticator in the last five minutes, so an API key is rejected with the address of the page to approve it on.',
      )
      .argument('<change>', 'chg_…', 'text'),
  ).action(async (context, { args: [given = ''] }) => {
    const id = readId(given)
    if (context.isDryRun) return printRequest(context, 'changes', 'approve', { id }, {})
    const client = await context.connect()
    const approved = await client.changes.approve(id).catch(inBrowser(context, id)).catch(noChange(id))
    context.out.print({ value: approved, ids: [id], text: () => `Approved ${id}` })
  })
  example(approve, `changes approve ${exampleId}`)
}

/** A key never has presence. */
const inBrowser = (context: Context, id: string) => (error: unknown) => {
  if (!(error instanceof ApiError) || error.status !== 403) throw error
  const page = pageOf(context, id)
  throw new Failure(error.code, exitOf(error.code, error.status), error.detail, `Approve it in a browser: ${page}`, {
    cause: error,
  })
}

const declareReject = (changes: Command) => {
  const reject = addDryRun(
    changes
      .command('reject')
      .summary('Reject a change, or take your own back')
      .description('Rejects a change for good. With an API key, only the key that asked for it can take it back.')
      .argument('<change>', 'chg_…', 'text'),
  ).action(async (context, { args: [given = ''] }) => {
    const id = readId(given)
    if (context.isDryRun) return printRequest(context, 'changes', 'reject', { id }, {})
    const rejected = await (await context.connect()).changes
      .reject(id)
      .catch(inBrowser(context, id))
      .catch(noChange(id))
    context.out.print({ value: rejected, ids: [id], text: () => `Rejected ${id}: nothing has changed` })
  })
  example(reject, `changes reject ${exampleId}`)
}

const declareCancel = (changes: Command) => {
  const cancel = addDryRun(
    changes
      .command('cancel')
      .summary('Cancel a change that takes effect later')
      .description(
        'Deleting a protected provider, changing its primary domain, removing or demoting another owner, and removing the last passkey of an owner take effect after 24 hours. Until then any owner can cancel them.',
      )
      .argument('<change>', 'chg_…', 'text'),
  ).action(async (context, { args: [given = ''] }) => {
    const id = readId(given)
    if (context.isDryRun) return printRequest(context, 'changes', 'cancel', { id }, {})
    const cancelled = await (await context.connect()).changes.cancel(id).catch(noChange(id))
    context.out.print({ value: cancelled, ids: [id], text: () => `Cancelled ${id}: nothing has changed` })
  })
  example(cancel, `changes cancel ${exampleId}`)
}
