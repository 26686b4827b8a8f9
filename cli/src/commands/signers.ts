import type { Countersign } from '@countersign/sdk'
import type { SignerRecord } from '@countersign/sdk/contract'
import type { Command } from 'commander'
import { type Act, addDryRun, type Declare, example } from '../command.ts'
import type { Context } from '../context.ts'
import { usage } from '../failure.ts'
import { facts, table } from '../output.ts'
import { findLatest } from '../own-model.ts'
import { printRequest } from '../request.ts'
import { shownTime } from '../shown-time.ts'
import { addSignerOptions, describeDeclared, requireSigner } from '../signer-flags.ts'

const signerId = /^sgn_[0-9a-hjkmnp-tv-z]{26}$/

export const declareSigners: Declare = (signers, act) => {
  example(signers, 'signers add --key key.pub', 'signers list')
  declareAdd(signers, act)
  declareList(signers, act)
  declareRemove(signers, act)
}

const declareAdd = (signers: Command, act: Act) => {
  const add = addDryRun(
    addSignerOptions(
      signers
        .command('add')
        .summary('Declare who may sign your models')
        .description(
          'Declares a signer: a key, an identity, a repository or an authority. Bundles are verified only where such a signer made them. Of a key only the public half is sent.',
        ),
    ).option('--model <identifier>', 'for the versions of this identifier; by default for all your models'),
  ).action(
    act(async (context, { flags }) => {
      const signer = await requireSigner(context, flags)
      const api_model_identifier = flags.text('model')
      const body = { signer, ...(api_model_identifier !== undefined && { api_model_identifier }) }
      if (context.isDryRun) return printRequest(context, 'signers', 'declare', {}, body)
      const client = await context.connect()
      const declared = await client.signers.declare(body)
      context.out.print({
        value: declared,
        ids: [declared.id],
        text: (paint) =>
          facts(
            [
              ['signer', declared.id],
              ['may sign', describeDeclared(declared.signer, declared.key_fingerprint)],
              ['models', modelsOf(declared)],
            ],
            paint,
          ),
      })
      if (api_model_identifier !== undefined && (await isMissing(context, client, api_model_identifier)))
        context.out.warn(`You have no model ${api_model_identifier} yet: this counts once you register one`)
    }),
  )
  example(
    add,
    'signers add --key key.pub',
    'signers add --repository https://github.com/acme/models --workflow .github/workflows/release.yml --model tiny',
  )
}

/** Told where someone reads it; a key that may not look it up stays silent. */
const isMissing = async (context: Context, client: Countersign, identifier: string): Promise<boolean> =>
  context.out.mode === 'text' &&
  findLatest(context, client, identifier).then(
    (found) => found === undefined,
    () => false,
  )

const modelsOf = ({ api_model_identifier }: SignerRecord) => api_model_identifier ?? 'all'

const declareList = (signers: Command, act: Act) => {
  const list = signers
    .command('list')
    .summary('Who may sign your models')
    .description('Lists who may sign your models.')
    .action(
      act(async (context) => {
        const found = await (await context.connect()).signers.list({ limit: 100 }).toArray()
        context.out.print({
          value: { signers: found, next_cursor: null },
          ids: found.map(({ id }) => id),
          text: (paint) =>
            found.length === 0
              ? 'Nobody is declared yet: countersign signers add'
              : table(
                  ['ID', 'MODELS', 'DECLARED', 'MAY SIGN'],
                  found.map((each) => [
                    each.id,
                    modelsOf(each),
                    shownTime(each.created_at),
                    describeDeclared(each.signer, each.key_fingerprint),
                  ]),
                  paint,
                ),
        })
      }),
    )
  example(list, 'signers list --json')
}

const declareRemove = (signers: Command, act: Act) => {
  const remove = addDryRun(
    signers
      .command('remove')
      .summary('Withdraw a signer')
      .description('Withdraws a signer: what only they signed is not verified any more.')
      .argument('<id>', 'sgn_…'),
  ).action(
    act(async (context, { args: [id = ''] }) => {
      if (!signerId.test(id)) throw usage(`${JSON.stringify(id)} is no signer: an id begins with sgn_`, 'See: countersign signers list')
      if (context.isDryRun) return printRequest(context, 'signers', 'withdraw', { id }, null)
      const client = await context.connect()
      await context.confirm(`Withdraw ${id}? What only this signer signed is not verified any more.`)
      const withdrawn = await client.signers.withdraw(id)
      context.out.print({
        value: withdrawn,
        ids: [withdrawn.id],
        text: () => `Withdrew ${withdrawn.id}, ${describeDeclared(withdrawn.signer, withdrawn.key_fingerprint)}`,
      })
    }),
  )
  example(remove, 'signers remove sgn_06dh0e3x7c9bw4vjz2n8qk5ytm')
}
