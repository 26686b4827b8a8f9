import { isId, NewPublisher, type Publisher } from '@countersign/sdk/contract'
import { quoteExactly, quoteIssuer } from '@countersign/sdk/words'
import {
  addConfirmation,
  addDryRun,
  addOptions,
  type Command,
  type Declare,
  example,
  type Flags,
} from '../../args/command.ts'
import { usage } from '../../failure.ts'
import { printRequest } from '../../registry/request.ts'
import { facts, table } from '../../render/output.ts'
import { shellWord } from '../../render/shell-word.ts'
import { shownTime } from '../../render/shown-time.ts'

export const declare: Declare = (publishers) => {
  example(publishers, 'publishers add --github acme/models --workflow release.yml', 'publishers list')
  declareAdd(publishers)
  declareList(publishers)
  declareRemove(publishers)
}

const declareAdd = (publishers: Command) => {
  const add = addDryRun(
    addOptions(
      publishers
        .command('add')
        .summary('Let a CI workflow publish without a key')
        .description(
          'Trusts a CI workflow. Its jobs get a 15-minute token that can register models and versions and upload bundles, and nothing else. No key is stored in CI. If you don’t give the numeric IDs of the repository, they are fixed on first use.',
        ),
      [
        ['--github <repository>', 'GitHub Actions workflow in this repository, for example acme/models', 'text'],
        ['--gitlab <project>', 'GitLab pipeline in this project, for example acme/models', 'text'],
        [
          '--subject <sub>',
          'jobs with exactly this sub from another issuer, listed by the registry in OIDC_ISSUERS; requires --issuer',
          'text',
        ],
        [
          '--workflow <file>',
          'with --github: file in .github/workflows; with --gitlab: default .gitlab-ci.yml',
          'file',
        ],
        ['--environment <name>', 'only jobs in this environment', 'text'],
        ['--repository-id <number>', 'permanent numeric ID of the repository or project', 'number'],
        ['--owner-id <number>', 'numeric ID of its owner or namespace', 'number'],
        ['--issuer <url>', 'token issuer, if not GitHub or gitlab.com itself', 'url'],
      ],
    ),
  ).action(async (context, { flags }) => {
    const body = readPublisher(flags)
    if (context.isDryRun) return printRequest(context, 'publishers', 'add', {}, body)
    const client = await context.connect()
    const added = await client.publishers.add(body)
    context.out.print({ value: added, ids: [added.id], text: (paint) => facts(factsOf(added), paint) })
    const { provider_id } = context.profile.saved
    context.out.say(
      `\nIn the job: countersign auth login --oidc --provider ${shellWord(provider_id ?? (await client.providers.me()).id)}`,
    )
  })
  example(
    add,
    'publishers add --github acme/models --workflow release.yml --environment release',
    'publishers add --gitlab acme/models --issuer https://gitlab.acme.example',
  )
}

const readPublisher = (flags: Flags) => {
  const named = (['github', 'gitlab', 'subject'] as const).filter((name) => flags.text(name) !== undefined)
  const [only] = named
  if (only === undefined || named.length > 1)
    throw usage(
      'Give one of --github, --gitlab and --subject',
      'For example: countersign publishers add --github acme/models --workflow release.yml',
    )
  const issuer = flags.text('issuer')
  const foreign = ['workflow', 'environment', 'repositoryId', 'ownerId'].filter(
    (name) => flags.text(name) !== undefined,
  )
  if (only === 'subject' && foreign.length > 0) throw usage('--subject cannot be combined with anything but --issuer')
  if (only === 'subject' && issuer === undefined)
    throw usage('--subject needs --issuer', 'A subject is only meaningful together with its issuer')
  if (only === 'github' && flags.text('workflow') === undefined)
    throw usage('Missing: --workflow', 'Give the file in .github/workflows whose jobs publish, for example release.yml')
  return checked({
    kind: only === 'subject' ? 'other' : only,
    issuer,
    ...(only === 'subject'
      ? { subject: flags.text('subject') }
      : {
          repository: flags.text(only),
          workflow: flags.text('workflow'),
          environment: flags.text('environment'),
          repository_id: flags.text('repositoryId'),
          repository_owner_id: flags.text('ownerId'),
        }),
  })
}

const flagOf: Readonly<Record<string, string>> = {
  subject: '--subject',
  workflow: '--workflow',
  environment: '--environment',
  repository_id: '--repository-id',
  repository_owner_id: '--owner-id',
  issuer: '--issuer',
}

const checked = (input: { kind: string; issuer: string | undefined }) => {
  const parsed = NewPublisher.safeParse(input)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw usage(`${flagOf[String(issue?.path[0])] ?? `--${input.kind}`}: ${issue?.message ?? 'not valid'}`)
}

const describe = ({ kind, repository, workflow, subject, issuer }: Publisher) =>
  kind === 'other'
    ? `${quoteExactly(subject ?? '')} at ${quoteIssuer(issuer)}`
    : `${quoteExactly(repository ?? '')}, ${quoteExactly(workflow ?? '')}`

const environmentOf = ({ environment }: Publisher) => (environment === null ? 'any' : quoteExactly(environment))

const factsOf = (publisher: Publisher): [string, string | null][] => [
  ['publisher', publisher.id],
  ['trusts', describe(publisher)],
  ['issuer', quoteIssuer(publisher.issuer)],
  ['environment', publisher.kind === 'other' ? null : environmentOf(publisher)],
  [
    publisher.kind === 'gitlab' ? 'project id' : 'repository id',
    publisher.kind === 'other' ? null : (publisher.repository_id ?? 'fixed on first use'),
  ],
]

const declareList = (publishers: Command) => {
  const list = publishers
    .command('list')
    .summary('List the workflows you trust')
    .description(
      'Lists the workflows that may publish without a key, when each was last used, and why a job was last rejected.',
    )
    .action(async (context) => {
      const found = await (await context.connect()).publishers.list()
      context.out.print({
        value: found,
        ids: found.publishers.map(({ id }) => id),
        text: (paint) =>
          found.publishers.length === 0
            ? 'No workflow is trusted yet. Add one: countersign publishers add'
            : table(
                ['ID', 'KIND', 'TRUSTS', 'ENVIRONMENT', 'LAST USED', 'LAST REJECTED'],
                found.publishers.map((each) => [
                  each.id,
                  each.kind,
                  describe(each),
                  each.kind === 'other' ? '' : environmentOf(each),
                  each.is_issuer_accepted
                    ? each.last_used_at === null
                      ? 'never'
                      : shownTime(each.last_used_at)
                    : 'issuer not accepted',
                  each.last_refusal === null ? '' : `${shownTime(each.last_refusal.at)}, ${each.last_refusal.claim}`,
                ]),
                paint,
              ),
      })
    })
  example(list, 'publishers list --json')
}

const declareRemove = (publishers: Command) => {
  const remove = addConfirmation(
    publishers
      .command('remove')
      .summary('Stop trusting a workflow')
      .description(
        'Stops trusting a workflow. Its jobs get no more tokens, and tokens they already have stop working at once.',
      )
      .argument('<id>', 'pub_…', 'publisher'),
  ).action(async (context, { args: [id = ''] }) => {
    if (!isId('pub', id))
      throw usage(
        `${JSON.stringify(id)} is not a publisher ID; publisher IDs are pub_ and 26 characters`,
        'See: countersign publishers list',
      )
    if (context.isDryRun) return printRequest(context, 'publishers', 'remove', { id }, null)
    const client = await context.connect()
    await context.confirm(`Stop trusting ${id}? Its jobs can no longer publish.`)
    const removed = await client.publishers.remove(id)
    context.out.print({ value: removed, ids: [removed.id], text: () => `Removed ${removed.id}: ${describe(removed)}` })
  })
  example(remove, 'publishers remove pub_06dh0e3x7c9bw4vjz2n8qk5ytm --yes')
}
