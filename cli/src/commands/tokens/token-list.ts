import type { IssuedVerification } from '@countersign/sdk/contract'
import { linkWords, quote } from '@countersign/sdk/words'
import { type Command, example } from '../../args/command.ts'
import { readCount } from '../../args/read-count.ts'
import { resolveModel } from '../../registry/own-model.ts'
import { table } from '../../render/output.ts'
import { shownTime } from '../../render/shown-time.ts'

/** The links that the dashboard lists under Verifications. */
export const declareTokenList = (tokens: Command) => {
  const list = tokens
    .command('list')
    .summary('List your links')
    .description(
      'Lists the verification links you issued, newest first unless --sort says otherwise, with model, current result, and how often each was opened. The links themselves are not stored.',
    )
    .option('--model <model>', 'only links for this model: mdl_…, or your identifier for its latest version', 'model')
    .option('--sort <order>', 'order of the list; default: -created, newest first', {
      choices: ['-created', 'created'],
    })
    .option('--limit <count>', 'show at most this many; default: 100', 'number')
    .action(async (context, { flags }) => {
      const model = flags.text('model')
      const most = readCount(flags.text('limit'), 'tokens list')
      const client = await context.connect()
      const sort = flags.text('sort') as 'created' | undefined
      const model_id = model === undefined ? undefined : await resolveModel(context, client, model)
      const found = await client.account
        .verifications({ limit: Math.min(100, most), sort, ...(model_id && { model_id }) })
        .toArray({ limit: most })
      context.out.print({
        value: { verifications: found },
        ids: found.map(({ id }) => id),
        text: (paint) => (found.length === 0 ? 'No links yet' : table(heads, found.map(rowOf), paint)),
      })
    })
  example(list, 'tokens list', 'tokens list --model atlas-chat --limit 10 --json')
}

const heads = ['ID', 'MODEL', 'VERSION', 'ISSUED', 'EXPIRES', 'STATE', 'OPENED']

const rowOf = (link: IssuedVerification) => [
  link.id,
  quote(link.model_name),
  quote(link.model_version),
  shownTime(link.issued_at),
  shownTime(link.expires_at),
  stateOf(link),
  String(link.opened_count),
]

/** What changed since it was issued, or else why it is not verified, or how far it is: in the words of `verify`. */
const stateOf = ({ result, reason, change, strength }: IssuedVerification) =>
  strength === 'provider' ? linkWords.bands.provider_only : (change ?? reason ?? result).replaceAll('_', ' ')
