import { isId, NewWorkload, type Workload } from '@countersign/sdk/contract'
import { quoteExactly, quoteIssuer } from '@countersign/sdk/words'
import { addConfirmation, addDryRun, type Call, type Command, type Declare, example } from '../../args/command.ts'
import { providerIdOf } from '../../args/provider-id.ts'
import type { Context } from '../../context.ts'
import { usage } from '../../failure.ts'
import { resolveModel } from '../../registry/own-model.ts'
import { printRequest } from '../../registry/request.ts'
import { facts, table } from '../../render/output.ts'
import { shownPairs } from '../../render/quotation.ts'
import { shellWord } from '../../render/shell-word.ts'
import { shownTime } from '../../render/shown-time.ts'

const google = '--issuer https://accounts.google.com --subject 104892101023384723846'

export const declareTrust: Declare = (deployments) => {
  const trust = deployments
    .command('trust')
    .summary('Servers without a key: platform identities that stand for a deployment')
    .description('Lists, adds and removes platform identities (OIDC) that stand for your deployments.')
  example(trust, 'deployments trust list', `deployments trust add ${google} --model acme-chat`)
  declareAdd(trust)
  declareList(trust)
  declareRemove(trust)
}

const declareAdd = (trust: Command) => {
  const add = addDryRun(
    trust
      .command('add')
      .summary('Trust a platform identity')
      .description(
        'Trusts an identity of a platform, such as a service account. A workload that has it mints links as the deployment, without a stored key: it exchanges its identity token and a fresh public key for an hour. Its links name the issuer. Every claim must be equal. Without --deployment, a new deployment without a key is registered.',
      )
      .option('--issuer <url>', 'issuer of the tokens, such as https://accounts.google.com', {
        kind: 'url',
        isRequired: true,
      })
      .option('--subject <sub>', 'the entire sub of the tokens', { kind: 'text', isRequired: true })
      .option('--claim <name=value>', 'another claim that must be equal, such as email=…; repeatable', {
        kind: 'text',
        isRepeated: true,
      })
      .option('--audience <text>', 'the aud, if the platform cannot write the registry’s address', 'text')
      .option('--deployment <id>', 'dep_…: stand for this deployment', 'deployment')
      .option('--model <model>', 'also authorize the deployment for this model (ID or identifier)', 'model'),
  ).action(addTrust)
  example(
    add,
    `deployments trust add ${google} --claim email=chat-prod@acme.example --model acme-chat`,
    'deployments trust add --issuer https://token.actions.githubusercontent.com --subject repo:acme/chat:environment:production --claim repository_id=740112233',
  )
}

const addTrust = async (context: Context, { flags }: Call) => {
  const parsed = NewWorkload.safeParse({
    issuer: flags.text('issuer')?.replace(/\/+$/, ''),
    subject: flags.text('subject'),
    claims: readClaims(flags.list('claim')),
    audience: flags.text('audience'),
    deployment_id: flags.text('deployment'),
  })
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw usage(`--${String(issue?.path[0]).replace('claims', 'claim').replace('_id', '')}: ${issue?.message}`)
  }
  if (context.isDryRun) return printRequest(context, 'workloads', 'trust', {}, parsed.data)
  const client = await context.connect()
  const named = flags.text('model')
  // A wrong model would leave an identity behind.
  const model = named === undefined ? undefined : await resolveModel(context, client, named)
  const added = await client.workloads.trust(parsed.data)
  if (model !== undefined) await client.models.allowDeployment(model, { deployment_id: added.deployment_id })
  context.out.print({ value: added, ids: [added.id], text: (paint) => facts(factsOf(added), paint) })
  const provider = await providerIdOf(context, client)
  context.out.say(
    `\nOn the server, with a token for the audience ${added.audience}:\n  countersign tokens mint --model ${shellWord(model ?? 'MODEL')} --workload-token FILE --provider ${shellWord(provider)}`,
  )
}

const readClaims = (pairs: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    pairs.map((pair): [string, string] => {
      const at = pair.indexOf('=')
      if (at < 1) throw usage(`--claim must be NAME=VALUE, not ${JSON.stringify(pair)}`)
      return [pair.slice(0, at), pair.slice(at + 1)]
    }),
  )

const factsOf = (workload: Workload): [string, string | null][] => [
  ['workload', workload.id],
  ['deployment', workload.deployment_id],
  ['platform', workload.platform],
  ['issuer', quoteIssuer(workload.issuer)],
  ['subject', quoteExactly(workload.subject)],
  ['claims', shownPairs(workload.claims) || null],
  ['audience', quoteExactly(workload.audience)],
]

const declareList = (trust: Command) => {
  const list = trust
    .command('list')
    .summary('List the platform identities you trust')
    .description('Lists the platform identities that stand for your deployments, and when each was last used.')
    .action(async (context) => {
      const found = await (await context.connect()).workloads.list()
      context.out.print({
        value: found,
        ids: found.workloads.map(({ id }) => id),
        text: (paint) =>
          found.workloads.length === 0
            ? 'No platform identity is trusted yet. Add one: countersign deployments trust add'
            : table(
                ['ID', 'DEPLOYMENT', 'PLATFORM', 'SUBJECT', 'CLAIMS', 'LAST USED'],
                found.workloads.map((each) => [
                  each.id,
                  each.deployment_id,
                  each.platform,
                  quoteExactly(each.subject),
                  shownPairs(each.claims) || '-',
                  each.is_issuer_accepted
                    ? each.last_used_at === null
                      ? 'never'
                      : shownTime(each.last_used_at)
                    : 'issuer not accepted',
                ]),
                paint,
              ),
      })
    })
  example(list, 'deployments trust list')
}

const declareRemove = (trust: Command) => {
  const remove = addConfirmation(
    trust
      .command('remove')
      .summary('Stop trusting a platform identity')
      .description('Stops trusting a platform identity. Its keys and its links stop working at once.')
      .argument('<id>', 'wkl_…', 'text'),
  ).action(async (context, { args: [id = ''] }) => {
    if (!isId('wkl', id)) throw usage(`${id} is not the ID of a workload`, 'See: countersign deployments trust list')
    if (context.isDryRun) return printRequest(context, 'workloads', 'remove', { id }, null)
    await context.confirm(`Stop trusting ${id}? Its links stop working at once.`)
    const removed = await (await context.connect()).workloads.remove(id)
    context.out.print({
      value: removed,
      ids: [id],
      text: () => `${quoteExactly(removed.subject)} is no longer trusted`,
    })
  })
  example(remove, 'deployments trust remove wkl_06dh0e3x7c9bw4vjz2n8qk5ytm --yes')
}
