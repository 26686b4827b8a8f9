import { type ApiKey, isId, type KeyReview, keyScopes } from '@countersign/sdk/contract'
import { quote } from '@countersign/sdk/words'
import { addConfirmation, addDryRun, type Command, type Declare, example, type Flags } from '../../args/command.ts'
import { readMoment } from '../../args/read-moment.ts'
import type { Context } from '../../context.ts'
import { usage } from '../../failure.ts'
import { printRequest } from '../../registry/request.ts'
import { facts, type Paint, table } from '../../render/output.ts'
import { shownTime } from '../../render/shown-time.ts'

type KeyScope = (typeof keyScopes)[number]

const exampleId = 'key_06dh0e3x7c9bw4vjz2n8qk5ytm'

export const declare: Declare = (keys) => {
  example(keys, 'keys create CI --scope links', 'keys list')
  declareCreate(keys)
  declareList(keys)
  declareRevoke(keys)
  declareReview(keys)
}

const scopeWords = {
  read: 'read your own records',
  links: 'mint, bind and list links, by model ID',
  models: 'register and change models',
  deployments: 'register and change deployments',
  incidents: 'respond to reports',
  account: 'change the account and its keys',
  full: 'everything',
} as const satisfies Record<KeyScope, string>

const scopesInWords = keyScopes.map((scope) => `${scope}: ${scopeWords[scope]}`).join('; ')

const declareCreate = (keys: Command) => {
  const create = addDryRun(
    keys
      .command('create')
      .summary('Create an API key')
      .description(
        'Creates an API key and prints it once; -q prints only the key. The key is not saved on this machine.',
      )
      .argument('<name>', 'a name to recognize it by', 'text')
      .option('--scope <scope>', `what the key may do; repeatable; default: links. ${scopesInWords}`, {
        suggestions: keyScopes,
        isRepeated: true,
      })
      .option('--expires-in-days <days>', '1 to 3650; by default it never expires', 'number'),
  ).action(async (context, { args: [name = ''], flags }) => {
    const body = { name, ...readScopes(flags), ...readExpiry(flags) }
    if (context.isDryRun) return printRequest(context, 'keys', 'create', {}, body)
    const made = await (await context.connect()).keys.create(body)
    context.out.print({
      value: made,
      // The registry never shows it again.
      ids: [made.api_key],
      text: (paint) =>
        facts(
          [
            ['api key', made.api_key, 'copied'],
            ['key', made.id],
            ['name', made.name],
            ['scopes', scopesOf(made)],
            ['expires', made.expires_at === null ? 'never' : shownTime(made.expires_at)],
          ],
          paint,
        ),
    })
    context.out.say('\nSave the key now: it won’t be shown again.')
  })
  example(create, 'keys create CI --scope links --scope read --expires-in-days 90')
}

const readScopes = (flags: Flags): { scopes?: KeyScope[] } => {
  const given = flags.list('scope').flatMap((each) => each.split(','))
  const isScope = (name: string): name is KeyScope => (keyScopes as readonly string[]).includes(name)
  const unknown = given.find((name) => !isScope(name))
  if (unknown !== undefined)
    throw usage(`There is no scope ${JSON.stringify(unknown)}`, `Available: ${keyScopes.join(', ')}`)
  return given.length === 0 ? {} : { scopes: given.filter(isScope) }
}

const readExpiry = (flags: Flags): { expires_in_days?: number } => {
  const given = flags.text('expiresInDays')
  if (given === undefined) return {}
  if (!/^\d+$/.test(given)) throw usage(`--expires-in-days must be a whole number, not ${JSON.stringify(given)}`)
  return { expires_in_days: Number(given) }
}

export const scopesOf = ({ scopes: restricted }: Pick<ApiKey, 'scopes'>) => restricted?.join(', ') ?? 'everything'

const declareList = (keys: Command) => {
  const list = keys
    .command('list')
    .summary('List your API keys')
    .description('Lists your API keys, including revoked ones. Only the first characters of each key are shown.')
    .action(async (context) => {
      const found = await (await context.connect()).keys.list()
      context.out.print({
        value: found,
        ids: found.map(({ id }) => id),
        text: (paint) =>
          table(['ID', 'NAME', 'STATE', 'MAY', 'LAST USED', 'KEY', 'CREATED'], found.map(rowOf(context.now())), paint, {
            spare: ['CREATED', 'KEY', 'LAST USED'],
          }),
      })
    })
  example(list, 'keys list --json')
}

const rowOf = (now: Date) => (key: ApiKey) => [
  key.id,
  quote(key.name),
  stateOf(key, now),
  scopesOf(key),
  key.last_used_at === null ? 'never' : shownTime(key.last_used_at),
  `${key.key_prefix}…`,
  shownTime(key.created_at),
]

const stateOf = ({ is_active, expires_at, revoked_at, compromised_since }: ApiKey, now: Date) => {
  if (compromised_since !== null) return 'compromised'
  if (revoked_at !== null) return 'revoked'
  if (expires_at !== null && new Date(expires_at) <= now) return 'expired'
  return is_active ? 'active' : 'inactive'
}

const declareRevoke = (keys: Command) => {
  const revoke = addConfirmation(
    keys
      .command('revoke')
      .summary('Revoke an API key permanently')
      .description(
        'Revokes an API key permanently, from the next request on. If it leaked, add --compromised: links minted with it become invalid, keys it created are revoked, and what it changed is suspended until you review it.',
      )
      .argument('<id>', 'key_…', 'key')
      .option('--compromised', 'someone else had the key')
      .option(
        '--since <time>',
        'with --compromised: from this day or time, UTC; default: since the key was created',
        'time',
      ),
  ).action(async (context, { args: [named = ''], flags }) => {
    const id = checkKeyId(named)
    const since = readMoment('--since', flags.text('since'))
    if (flags.isOn('compromised')) return revokeCompromised(context, id, since)
    if (since !== undefined) throw usage('--since requires --compromised')
    if (context.isDryRun) return printRequest(context, 'keys', 'revoke', { id }, null)
    const client = await context.connect()
    const isInUse = isKeyInUse(context, id)
    await context.confirm(
      `Revoke ${id}${isInUse ? ', the key in use here' : ''}? It stops working at once and cannot be restored.`,
    )
    const revoked = await client.keys.revoke(id)
    context.out.print({
      value: revoked,
      ids: [revoked.id],
      text: () => `Revoked ${revoked.id}, ${quote(revoked.name)}`,
    })
    if (isInUse) context.out.say('\nThis profile used that key. Sign in with another: countersign auth login')
  })
  example(revoke, `keys revoke ${exampleId} --yes`)
}

const revokeCompromised = async (context: Context, id: ApiKey['id'], since: string | undefined) => {
  const body = { ...(since !== undefined && { since }) }
  if (context.isDryRun) return printRequest(context, 'keys', 'compromise', { id }, body)
  const client = await context.connect()
  const from = since === undefined ? 'since it was created' : `since ${shownTime(since)}`
  await context.confirm(`Revoke ${id}, invalidate the links it minted ${from}, and suspend what it changed?`)
  const answer = await client.keys.compromise(id, body)
  const { key, revoked_keys, reviews } = answer
  context.out.print({
    value: answer,
    ids: [key.id],
    text: (paint) =>
      [
        `Revoked ${key.id}, ${quote(key.name)}. Links minted with it since ${shownTime(key.compromised_since ?? key.created_at)} are no longer valid.`,
        ...(revoked_keys.length > 0 ? [`Also revoked: ${revoked_keys.join(', ')}`] : []),
        ...(reviews.length > 0 ? ['', reviewTable(reviews, paint)] : []),
      ].join('\n'),
  })
  if (reviews.length > 0) context.out.say('\nReview each change: countersign keys review ID --confirm, or --withdraw')
}

const nameOf = ({ kind, name }: Pick<KeyReview, 'kind' | 'name'>) => {
  if (name === null) return undefined
  // A profile is named by its values before and after the change.
  return kind === 'profile' ? name.split(' → ').map(quote).join(' → ') : quote(name)
}

const reviewTable = (reviews: readonly KeyReview[], paint: Paint) =>
  table(
    ['ID', 'CHANGED', 'KIND', 'SUBJECT', 'NAME', 'DECISION'],
    reviews.map(({ id, changed_at, kind, subject_id, name, decision }) => [
      id,
      shownTime(changed_at),
      kind,
      subject_id,
      nameOf({ kind, name }) ?? '',
      decision ?? 'waiting',
    ]),
    paint,
  )

const declareReview = (keys: Command) => {
  const review = addConfirmation(
    keys
      .command('review')
      .summary('Review what a compromised key changed')
      .description(
        'Lists what compromised keys changed. With an ID, --confirm restores a change that was yours, and --withdraw undoes one that was not, permanently.',
      )
      .argument('[id]', 'rev_…', 'text')
      .option('--confirm', 'the change was yours')
      .option('--withdraw', 'the change was not yours'),
  ).action(async (context, { args: [named], flags }) => {
    const [isConfirmed, isWithdrawn] = [flags.isOn('confirm'), flags.isOn('withdraw')]
    if (named === undefined) {
      if (isConfirmed || isWithdrawn) throw usage('Give the ID of the change', 'See: countersign keys review')
      return listReviews(context)
    }
    if (!isId('rev', named))
      throw usage(
        `${JSON.stringify(named)} is not a review ID; review IDs are rev_ and 26 characters`,
        'See: countersign keys review',
      )
    if (isConfirmed === isWithdrawn) throw usage('Give either --confirm or --withdraw')
    const id = named as KeyReview['id']
    const body = { decision: isConfirmed ? ('confirmed' as const) : ('withdrawn' as const) }
    if (context.isDryRun) return printRequest(context, 'keys', 'review', { id }, body)
    const client = await context.connect()
    if (isWithdrawn) await context.confirm(`Withdraw ${id} permanently?`)
    const decided = await client.keys.review(id, body)
    context.out.print({
      value: decided,
      ids: [decided.id],
      text: () =>
        `${isConfirmed ? 'Confirmed' : 'Withdrew'} ${decided.id}: ${decided.kind} ${nameOf(decided) ?? decided.subject_id}`,
    })
  })
  example(review, 'keys review', 'keys review rev_06dh0e3x7c9bw4vjz2n8qk5ytm --confirm')
}

const listReviews = async (context: Context) => {
  const found = await (await context.connect()).keys.reviews()
  context.out.print({
    value: found,
    ids: found.reviews.map(({ id }) => id),
    text: (paint) => (found.reviews.length === 0 ? 'Nothing to review' : reviewTable(found.reviews, paint)),
  })
}

const isKeyInUse = (context: Context, id: string) =>
  context.credential()?.source === 'profile' && context.profile.saved.key_id === id

const checkKeyId = (named: string): ApiKey['id'] => {
  if (isId('key', named)) return named as ApiKey['id']
  throw usage(
    named.startsWith('csk_')
      ? 'Give the key’s ID, never the key itself'
      : `${JSON.stringify(named)} is not a key ID; key IDs are key_ and 26 characters`,
    'See: countersign keys list',
  )
}
