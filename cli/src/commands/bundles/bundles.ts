import { addDryRun, type Command, type Declare, example } from '../../args/command.ts'
import { checkModelId, connectToRead, resolveModel } from '../../registry/own-model.ts'
import { printRequest } from '../../registry/request.ts'
import { readBundleFile } from './bundle-file.ts'
import { sayRegistryHint } from './bundle-hint.ts'
import { declareBundleSign } from './bundle-sign.ts'
import { describeRecord, exitOfRecord, stateOfBundle } from './bundle-verdict.ts'
import { declareBundleVerify } from './bundle-verify.ts'

const named = ['<model>', 'mdl_…, or your identifier for its latest version', 'model'] as const

export const declare: Declare = (bundles) => {
  example(bundles, 'bundles sign ./tiny --key key.pem', 'bundles verify ./tiny --bundle tiny/model.sig --key key.pub')
  declareBundleSign(bundles)
  declareBundleVerify(bundles)
  declareUpload(bundles)
  declareStatus(bundles)
}

const declareUpload = (bundles: Command) => {
  const upload = addDryRun(
    bundles
      .command('upload')
      .summary('Upload the bundle of a version')
      .description(
        'Uploads the bundle of a version and checks it at once. Exits 0 if it is verified and your company has proven a domain, otherwise 3, and 9 if it could not be checked.',
      )
      .verdicts(3, 9)
      .argument(...named)
      .argument('<bundle>', 'the signed bundle, or - for stdin', { kind: 'file', readsStdin: true }),
  ).action(async (context, { args: [model = '', file = ''] }) => {
    const bundle = await readBundleFile(context, file)
    if (context.isDryRun) {
      printRequest(context, 'bundles', 'upload', { id: checkModelId(model) }, bundle)
      return 0
    }
    const client = await context.connect()
    const record = await client.bundles.upload(await resolveModel(context, client, model), bundle)
    context.out.print({ value: record, ids: [stateOfBundle(record)], text: (paint) => describeRecord(record, paint) })
    sayRegistryHint(context, record)
    return exitOfRecord(record)
  })
  example(upload, 'bundles upload tiny ./tiny/model.sig')
}

const declareStatus = (bundles: Command) => {
  const status = bundles
    .command('status')
    .summary('Show the last check of a version’s bundle')
    .description('Shows the last check of a version’s bundle: who signed, in which log, and every check that was made.')
    .argument(...named)
    .action(async (context, { args: [model = ''] }) => {
      const client = await connectToRead(context, model)
      const record = await client.bundles.status(await resolveModel(context, client, model))
      context.out.print({ value: record, ids: [stateOfBundle(record)], text: (paint) => describeRecord(record, paint) })
      sayRegistryHint(context, record)
      if (record.bundle_source === null) context.out.say('hint: Upload one with: countersign bundles upload MODEL FILE')
    })
  example(status, 'bundles status mdl_06dh0e3x7c9bw4vjz2n8qk5ytm')
}
