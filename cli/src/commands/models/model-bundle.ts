import { setTimeout as wait } from 'node:timers/promises'
import type { Countersign } from '@countersign/sdk'
import type { BundleRecord } from '@countersign/sdk/contract'
import { addDryRun, type Command, example } from '../../args/command.ts'
import type { Context } from '../../context.ts'
import { Failure } from '../../failure.ts'
import { checkModelId, resolveModel } from '../../registry/own-model.ts'
import { printRequest } from '../../registry/request.ts'
import { printable } from '../../render/output.ts'
import { shellWord } from '../../render/shell-word.ts'
import { shownTime } from '../../render/shown-time.ts'
import { sayRegistryHint } from '../bundles/bundle-hint.ts'
import { describeRecord, exitOfRecord, stateOfBundle } from '../bundles/bundle-verdict.ts'

const everyMs = 500
const patienceMs = 120_000

export const declareModelBundle = (models: Command) => {
  const verify = addDryRun(
    models
      .command('verify-bundle')
      .summary('Ask the registry to check a version’s bundle')
      .description(
        'Asks the registry to fetch and check the bundle of a version. Exits 0 if it is verified and your company has proven a domain, otherwise 3, and 9 if it could not be checked or the check has not ended: wait for it with --wait.',
      )
      .verdicts(3, 9)
      .argument('<model>', 'mdl_…, or your identifier for its latest version', 'model')
      .option('--force', 'fetch and check again, even if it was just checked')
      .option('--wait', 'wait until the check is done'),
  ).action(async (context, { args: [named = ''], flags }) => {
    const body = flags.isOn('force') ? { force_refresh: true } : {}
    if (context.isDryRun) {
      printRequest(context, 'bundles', 'verify', { id: checkModelId(named) }, body)
      return 0
    }
    const client = await context.connect()
    const id = await resolveModel(context, client, named)
    const answer = await client.bundles.verify(id, body)
    if (flags.isOn('wait')) {
      const record = await waitForCheck(context, client, id)
      context.out.print({ value: record, ids: [stateOfBundle(record)], text: (paint) => describeRecord(record, paint) })
      sayRegistryHint(context, record)
      return exitOfRecord(record)
    }
    const checked = answer.estimated_completion === null ? await client.bundles.status(id) : undefined
    context.out.print({
      value: answer,
      ids: [answer.verification_status],
      text: () =>
        answer.estimated_completion === null
          ? `The bundle was just checked: ${checked && stateOfBundle(checked)}. Use --force to check it again.`
          : `${printable(answer.message)}\nExpected by ${shownTime(answer.estimated_completion)}; see: countersign bundles status ${shellWord(id)}`,
    })
    // The check that was only asked for has not ended.
    return checked ? exitOfRecord(checked) : 9
  })
  example(verify, 'models verify-bundle tiny --wait')
}

const waitForCheck = async (context: Context, client: Countersign, id: string): Promise<BundleRecord> => {
  const until = performance.now() + patienceMs
  for (;;) {
    const record = await client.bundles.status(id)
    if (record.verification_status !== 'in_progress') return record
    if (performance.now() >= until)
      throw new Failure(
        'timeout',
        8,
        'The bundle was not checked within two minutes',
        `Check later: countersign bundles status ${shellWord(id)}`,
      )
    await wait(everyMs, undefined, { signal: context.signal })
  }
}
