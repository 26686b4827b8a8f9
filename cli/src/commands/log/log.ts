import { addDryRun, type Command, type Declare, example } from '../../args/command.ts'

export const declare: Declare = (log) => {
  log.description(
    'Checks the registry’s transparency log: an append-only list of every public fact that verdicts rest on. Witnesses confirm that it only grows; monitors read it.',
  )
  example(log, 'log monitor --domain acme.example', 'log checkpoint')
  declareCheckpoint(log)
  declareProof(log)
  declareList(log)
  declareDispute(log)
  declareVerify(log)
  declareAudit(log)
  declareMonitor(log)
  declareWitness(log)
}

const policyOption = [
  '--policy <file>',
  'the log’s key and the witnesses to believe (c2sp.org/tlog-policy); default: the key that the registry shows',
  'file',
] as const
const logOption = [
  '--log <url>',
  'address of the log; default: the policy’s, else /log of the registry',
  'url',
] as const

const declareCheckpoint = (log: Command) => {
  const checkpoint = log
    .command('checkpoint')
    .summary('Show the log’s newest signed tree and who has seen it')
    .description(
      'Fetches the newest checkpoint of the log, verifies the signature of the log, and lists the witnesses whose cosignatures are valid. Exits 0, 3 if the signature is invalid, and 9 if it could not be checked or the policy’s quorum is missing.',
    )
    .verdicts(3, 9)
    .option(...policyOption)
    .option(...logOption)
    .action(async (context, call) => (await import('./log-checkpoint.ts')).showCheckpoint(context, call))
  example(checkpoint, 'log checkpoint', 'log checkpoint --policy acme.policy --json')
}

const declareList = (log: Command) => {
  const list = log
    .command('list')
    .summary('List what the log says about your company')
    .description(
      'Lists the entries of the transparency log about your provider, newest first, with their index. Private ones are included; only you can read them.',
    )
    .option('--limit <count>', 'show at most this many; default: 100', 'number')
    .action(async (context, call) => (await import('./log-list.ts')).listOwnEntries(context, call))
  example(list, 'log list', 'log list --limit 20 --json')
}

const declareDispute = (log: Command) => {
  const dispute = addDryRun(log.command('dispute'))
    .summary('Tell the operator that an entry was not you')
    .description(
      'Files an urgent report about an entry of the log about your provider, and emails all its owners. The same entry again gets the same report. `countersign log list` shows the index.',
    )
    .argument('<index>', 'position of the entry in the log', 'number')
    .action(async (context, call) => (await import('./log-dispute.ts')).disputeEntry(context, call))
  example(dispute, 'log dispute 42')
}

const declareProof = (log: Command) => {
  const proof = log
    .command('proof')
    .summary('Check that the facts that the registry names for a link or an ID are in the log')
    .description(
      'Fetches the last entry of each fact about a link, provider, version, deployment or signer with its proof, and verifies them. The facts of a link are those that the registry names for it; `verify --log-policy` compares them with the link. Exits 0 if all of these are logged, 3 if one is not logged or a proof is invalid, or if the registry says that a link is not verified and its age is not why, and 9 if one is still being logged, is logged privately, or lacks the policy’s quorum, or if the registry says nothing about a link.',
    )
    .verdicts(3, 9)
    .argument('<subject>', 'a link, a code, a token, or an ID such as prv_… or mdl_…', 'text')
    .option('--save <file>', 'write the answer with its proofs to a file', 'file')
    .option(...policyOption)
    .option(...logOption)
    .action(async (context, call) => (await import('./log-proof.ts')).proveFacts(context, call))
  example(proof, 'log proof W904-2CKW-GDNC-X7S1', 'log proof mdl_06dh0e3x7c9bw4vjz2n8qk5ytm --policy acme.policy')
}

const declareVerify = (log: Command) => {
  const verify = log
    .command('verify')
    .summary('Check a saved proof, checkpoint or evidence offline')
    .description(
      'Checks a file: a proof that an entry is in the log (c2sp.org/tlog-proof, with the entry as extra data), a signed checkpoint, or evidence that a monitor or a witness saved. With --policy it needs no network. Exits 0 if the file proves what it says, 3 if it doesn’t, and 9 if a quorum of witnesses is missing or the evidence shows something that signatures alone cannot prove.',
    )
    .verdicts(3, 9)
    .argument('<file>', 'the file, or - for stdin', { kind: 'file', readsStdin: true })
    .option(...policyOption)
    .action(async (context, call) => (await import('./log-verify.ts')).verifyLogFile(context, call))
  example(verify, 'log verify evidence-1f0c9a7be2d45310.json --policy acme.policy')
}

const declareAudit = (log: Command) => {
  const audit = log
    .command('audit')
    .summary('Check whether a saved verdict was right at its time')
    .description(
      'Checks a file that `countersign verify --save` wrote: the registry’s signature on the verdict, the proofs, and that the log still starts with the trees of that time. Then reads the whole log and replays it up to the verdict. Exits 0 if every fact held then, 3 if one had ended or was never logged or the file is not genuine, and 9 if the log could not be read, the policy’s quorum is missing, or the log shows nothing from more than ten minutes after the verdict, so that an end may be missing.',
    )
    .verdicts(3, 9)
    .argument('<file>', 'the saved verdict, or - for stdin', { kind: 'file', readsStdin: true })
    .option(...policyOption)
    .option(...logOption)
    .action(async (context, call) => (await import('./log-audit.ts')).auditVerdict(context, call))
  example(audit, 'log audit verdict.json --policy acme.policy')
}

const declareMonitor = (log: Command) => {
  const monitor = log
    .command('monitor')
    .summary('Read the log, check that it only grows, and report what touches your names')
    .description(
      'Reads each new entry of the log, computes the tree and compares it with the signed one, with what was read before, with the witnesses of the policy and with copies. Reports entries about your domains, names and providers, and about names that are confusable with them; without these options, every entry. Private models and accounts without a proven domain are not compared. Exits 3 if the log was forked, rolled back, backfilled or changed, and leaves evidence in a file that anyone can check. Exits 9 if the log could not be checked, or if too few of the policy’s witnesses have seen it.',
    )
    .verdicts(3, 9)
    .option('--domain <domain>', 'report this domain and domains near it; repeatable', {
      kind: 'domain',
      isRepeated: true,
    })
    .option('--name <name>', 'report this company name or model identifier and those near it; repeatable', {
      kind: 'text',
      isRepeated: true,
    })
    .option('--provider <id>', 'report everything about this provider; repeatable', {
      kind: 'text',
      isRepeated: true,
    })
    .option('--follow', 'keep running, and print each report on a line of its own')
    .option('--every <seconds>', 'with --follow: how often to look; default: 10', 'number')
    .option('--state <folder>', 'folder that remembers what was read; without it, the whole log is read', 'file')
    .option('--recheck', 'first read again what was read before')
    .option('--source <url>', 'a copy of the log to compare with; repeatable', { kind: 'url', isRepeated: true })
    .option(
      '--patience <seconds>',
      'how long an older tree may be shown before it counts as rolled back; default: 10',
      'number',
    )
    .option(...policyOption)
    .option(...logOption)
    .action(async (context, call) => (await import('./monitor/monitor.ts')).runMonitor(context, call))
  example(
    monitor,
    'log monitor --domain acme.example',
    'log monitor --domain acme.example --name "Acme Chat" --policy acme.policy --state ./monitor --follow',
  )
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
