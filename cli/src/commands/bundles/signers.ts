import type { Countersign } from '@countersign/sdk'
import { isId, type SignerRecord } from '@countersign/sdk/contract'
import { quote } from '@countersign/sdk/words'
import { addConfirmation, addDryRun, type Command, type Declare, example } from '../../args/command.ts'
import { readCount } from '../../args/read-count.ts'
import type { Context } from '../../context.ts'
import { usage } from '../../failure.ts'
import { collect } from '../../registry/collect.ts'
import { findLatest } from '../../registry/own-model.ts'
import { printRequest } from '../../registry/request.ts'
import { facts, table } from '../../render/output.ts'
import { shellWord } from '../../render/shell-word.ts'
import { shownTime } from '../../render/shown-time.ts'
import { addSignerOptions, describeDeclared, requireSigner } from './signer-flags.ts'
import { readSigningKey } from './signing-key.ts'

export const declare: Declare = (signers) => {
  example(signers, 'signers add --key key.pub', 'signers list')
  declareAdd(signers)
  declareList(signers)
  declareProve(signers)
  declareRemove(signers)
}

const declareAdd = (signers: Command) => {
  const add = addDryRun(
    addSignerOptions(
      signers
        .command('add')
        .summary('Declare who may sign your models')
        .description(
          'Declares a signer: a key, an identity, a repository or an authority. A bundle is only verified if it was made by a declared signer that is proven to be yours. Giving a private key proves it at once; only its public half is sent.',
        ),
    ).option('--model <identifier>', 'only for versions of this identifier; default: all your models', 'text'),
  ).action(async (context, { flags }) => {
    const signer = await requireSigner(context, flags)
    const api_model_identifier = flags.text('model')
    const body = { signer, ...(api_model_identifier !== undefined && { api_model_identifier }) }
    if (context.isDryRun) return printRequest(context, 'signers', 'declare', {}, body)
    const client = await context.connect()
    const declared = await proveAtOnce(context, client, await client.signers.declare(body), flags.text('key'))
    context.out.print({
      value: declared,
      ids: [declared.id],
      text: (paint) =>
        facts(
          [
            ['signer', declared.id],
            ['may sign', describeDeclared(declared.signer, declared.key_fingerprint)],
            ['models', modelsOf(declared)],
            ['yours', tiedWords(declared)],
          ],
          paint,
        ),
    })
    sayHowToTie(context, declared)
    if (api_model_identifier !== undefined && (await isMissing(context, client, api_model_identifier)))
      context.out.warn(`You have no model ${api_model_identifier} yet; the signer counts once you register one`)
  })
  example(
    add,
    'signers add --key key.pub',
    'signers add --repository https://github.com/acme/models --workflow .github/workflows/release.yml --model tiny',
  )
}

/** Declaring a key by its private half proves possession. */
const proveAtOnce = async (
  context: Context,
  client: Countersign,
  declared: SignerRecord,
  file: string | undefined,
): Promise<SignerRecord> => {
  if (file === undefined || file === '-' || declared.tied) return declared
  const pem = Buffer.from(await context.files.read(file)).toString('utf8')
  return /PRIVATE KEY/.test(pem) ? prove(context, client, declared.id, { file }) : declared
}

interface Holder {
  /** The private key. */
  file: string
  /** PEM. */
  chain?: string | undefined
}

const prove = async (
  context: Context,
  client: Countersign,
  id: string,
  { file, chain }: Holder,
): Promise<SignerRecord> => {
  const key = await readSigningKey(context, file)
  const { challenge, of } = await askForChallenge(context, client, id)
  const { signSignerProof } = await import('@countersign/sdk/integrity')
  return client.signers.prove(id, {
    signature: signSignerProof(challenge.message, key, of),
    ...(chain !== undefined && { certificate_chain: chain }),
  })
}

/** Don't sign a challenge that another registry issued: its holder would be impersonated there. */
const askForChallenge = async (context: Context, client: Countersign, id: string) => {
  const { id: provider } = await client.providers.me()
  const challenge = await client.signers.challenge(id, {})
  const { isSignerChallenge } = await import('@countersign/sdk/integrity')
  const of = { registry: new URL(context.setting('api_url') ?? '').origin, provider, signer: id }
  if (isSignerChallenge(challenge.message, of)) return { challenge, of }
  throw usage(
    `The registry sent a challenge that is not for ${id} of ${provider} at ${of.registry}; nothing was signed`,
    'Set --api-url to the registry’s own public address',
  )
}

const tiedWords = ({ tied }: SignerRecord) => (tied ? 'proven' : 'not proven; its signatures count as a third party’s')

const sayHowToTie = ({ out }: Context, { id, signer, tied, tie }: SignerRecord) => {
  if (!tied) out.say(`hint: To prove that it is yours: ${howToTie(id, signer, tie)}`)
}

const howToTie = (id: string, signer: SignerRecord['signer'], tie: SignerRecord['tie']): string => {
  if (tie === 'proof')
    return `countersign signers prove ${shellWord(id)} --key key.pem${signer.kind === 'certificate' ? ' --certificate-chain chain.pem' : ''}`
  if (tie === 'domain') return 'countersign domains verify, for the domain of the email address'
  return 'countersign publishers add, then publish once from a job of the repository'
}

const declareProve = (signers: Command) => {
  const command = addDryRun(
    signers
      .command('prove')
      .summary('Prove that a declared key or certificate is yours')
      .description(
        'Signs a challenge from the registry with the private key, which stays on this machine. Until then, its signatures count as a third party’s. A mailbox is proven by verifying its domain, a repository by publishing once from one of its jobs.',
      )
      .argument('<id>', 'sgn_…', 'signer')
      .option('--key <file>', 'private key, PEM; a passphrase is read from COUNTERSIGN_KEY_PASSPHRASE', 'file')
      .option(
        '--certificate-chain <file>',
        'for a declared authority: the key’s certificate and any intermediate ones, PEM',
        'file',
      )
      .option('--signature <file>', 'instead of --key: the challenge signed elsewhere, base64; - for stdin', 'file'),
  ).action(async (context, { args: [id = ''], flags }) => {
    if (!isId('sgn', id))
      throw usage(
        `${JSON.stringify(id)} is not a signer ID; signer IDs are sgn_ and 26 characters`,
        'See: countersign signers list',
      )
    const [file, given, chainFile] = ['key', 'signature', 'certificateChain'].map((name) => flags.text(name))
    if (file !== undefined && given !== undefined) throw usage('--key and --signature cannot be used together')
    if (context.isDryRun) return printRequest(context, 'signers', 'challenge', { id }, {})
    const textOf = async (name: string) => Buffer.from(await context.files.read(name)).toString('utf8')
    const chain = chainFile === undefined ? undefined : await textOf(chainFile)
    const client = await context.connect()
    if (file === undefined && given === undefined) {
      const { challenge } = await askForChallenge(context, client, id)
      context.out.print({ value: challenge, ids: [challenge.id], text: () => challenge.message.trimEnd() })
      return context.out.say(
        'hint: Sign exactly this text, including the newline at its end, then run: countersign signers prove ID --signature FILE',
      )
    }
    const proven =
      file === undefined
        ? await client.signers.prove(id, {
            signature: await textOf(given ?? ''),
            ...(chain !== undefined && { certificate_chain: chain }),
          })
        : await prove(context, client, id, { file, chain })
    context.out.print({
      value: proven,
      ids: [proven.id],
      text: () => `${proven.id} is proven to be yours: ${describeDeclared(proven.signer, proven.key_fingerprint)}`,
    })
    return undefined
  })
  example(command, 'signers prove sgn_06dh0e3x7c9bw4vjz2n8qk5ytm --key key.pem')
}

/** Looks up the model only if someone reads the warning; a key that may not look it up stays silent. */
const isMissing = async (context: Context, client: Countersign, identifier: string): Promise<boolean> =>
  context.out.mode === 'text' &&
  findLatest(context, client, identifier).then(
    (found) => found === undefined,
    () => false,
  )

const modelsOf = ({ api_model_identifier }: SignerRecord) =>
  api_model_identifier === null ? 'all' : quote(api_model_identifier)

const declareList = (signers: Command) => {
  const list = signers
    .command('list')
    .summary('List your signers')
    .description('Lists who may sign your models.')
    .option('--limit <count>', 'show at most this many; default: all', 'number')
    .action(async (context, { flags }) => {
      const most = readCount(flags.text('limit'), 'signers list', Number.POSITIVE_INFINITY)
      const client = await context.connect()
      const { items: found, next_cursor } = await collect(client.signers.list, ({ signers: items }) => items, most)
      context.out.print({
        value: { signers: found, next_cursor },
        ids: found.map(({ id }) => id),
        text: (paint) =>
          found.length === 0
            ? 'No signer is declared yet. Add one: countersign signers add'
            : table(
                ['ID', 'MODELS', 'YOURS', 'DECLARED', 'MAY SIGN'],
                found.map((each) => [
                  each.id,
                  modelsOf(each),
                  each.tied ? 'proven' : 'not proven',
                  shownTime(each.created_at),
                  describeDeclared(each.signer, each.key_fingerprint),
                ]),
                paint,
              ),
      })
      const untied = found.find(({ tied }) => !tied)
      if (untied) sayHowToTie(context, untied)
    })
  example(list, 'signers list --json')
}

const declareRemove = (signers: Command) => {
  const remove = addConfirmation(
    signers
      .command('remove')
      .summary('Remove a signer')
      .description('Removes a signer. Models that only this signer signed are no longer verified.')
      .argument('<id>', 'sgn_…', 'signer'),
  ).action(async (context, { args: [id = ''] }) => {
    if (!isId('sgn', id))
      throw usage(
        `${JSON.stringify(id)} is not a signer ID; signer IDs are sgn_ and 26 characters`,
        'See: countersign signers list',
      )
    if (context.isDryRun) return printRequest(context, 'signers', 'withdraw', { id }, null)
    const client = await context.connect()
    await context.confirm(`Remove ${id}? Models that only this signer signed will no longer be verified.`)
    const withdrawn = await client.signers.withdraw(id)
    context.out.print({
      value: withdrawn,
      ids: [withdrawn.id],
      text: () => `Removed ${withdrawn.id}, ${describeDeclared(withdrawn.signer, withdrawn.key_fingerprint)}`,
    })
  })
  example(remove, 'signers remove sgn_06dh0e3x7c9bw4vjz2n8qk5ytm --yes')
}
