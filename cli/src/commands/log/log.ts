import { type Command, type Declare, example } from '../../args/command.ts'

export const declareLog: Declare = (log) => {
  log.description(
    'Checks the registry’s transparency log: an append-only list of every public fact that verdicts rest on. Witnesses confirm that nobody rewrites it; monitors read it.',
  )
  example(log, 'log witness --policy logs.policy --state ./witness --name witness.acme.example')
  declareWitness(log)
}

const declareWitness = (log: Command) => {
  const witness = log
    .command('witness')
    .summary('Confirm that logs only ever grow')
    .description(
      'Runs a witness (c2sp.org/tlog-witness): logs send it each new checkpoint with a proof that it continues the last one, and it cosigns those that do. The state folder has its key and the last checkpoint of each log; never share or restore an older copy of it. Runs until it is interrupted.',
    )
    .option('--listen <address>', 'address and port; default: 127.0.0.1:7464', 'text')
    .option('--policy <file>', 'the logs to witness: lines `log VKEY` and `quorum none` (c2sp.org/tlog-policy)', {
      kind: 'file',
      isRequired: true,
    })
    .option('--state <folder>', 'folder of the key and the checkpoints', { kind: 'file', isRequired: true })
    .option('--name <name>', 'name of the key, such as witness.acme.example; required for a new state folder', 'text')
    .action(async (context, call) => (await import('./witness/witness.ts')).runWitness(context, call))
  example(
    witness,
    'log witness --policy logs.policy --state ./witness --name witness.acme.example',
    'log witness --policy logs.policy --state /var/lib/witness --listen 0.0.0.0:7464',
  )
}
