import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { ApiError, type Countersign } from '@countersign/sdk'
import type { Deployment, Model } from '@countersign/sdk/contract'
import { readLink } from '@countersign/sdk/verify'
import { addDryRun, type Call, type Declare, example, type Flags } from '../../args/command.ts'
import { providerIdOf } from '../../args/provider-id.ts'
import { optionOf, required } from '../../args/required.ts'
import type { Context } from '../../context.ts'
import { Failure, usage } from '../../failure.ts'
import { checkModelId, namingModel, resolveModel } from '../../registry/own-model.ts'
import { readPrivateKey } from '../../registry/private-key.ts'
import { printRequest } from '../../registry/request.ts'
import { signWith } from '../../registry/sign-with.ts'
import { bindingWords } from '../../render/binding-words.ts'
import { detailOf } from '../../render/detail.ts'
import { facts, printable } from '../../render/output.ts'
import { shellWord } from '../../render/shell-word.ts'
import { shownTime } from '../../render/shown-time.ts'
import { readFingerprint } from '../deployments/fingerprint.ts'
import { declareTokenList } from './token-list.ts'
import { declareStats } from './token-stats.ts'

export const declare: Declare = (tokens) => {
  example(tokens, 'tokens mint --model mdl_06dh0e3x7c9bw4vjz2n8qk5ytm --url')

  const mint = addDryRun(
    tokens
      .command('mint')
      .summary('Mint a verification link')
      .description(
        'Mints a verification link for a model. A certificate and key (over mutual TLS), a signature of the request or the platform’s identity token proves the deployment.',
      )
      .option('--model <model>', 'mdl_…, or your identifier for its latest version', 'model')
      .option('--user <text>', 'any text that identifies the user; only its HMAC is stored', 'text')
      .option('--challenge <text>', 'a phrase from the visitor, shown on the page', 'text')
      .option('--origin <url>', 'the https origin where the chat runs', 'url')
      .option('--cert <file>', 'the deployment’s client certificate, PEM', 'file')
      .option('--key <file>', 'its private key, PEM; never leaves this machine', 'file')
      .option('--sign-key <file>', 'instead of --cert: sign the request with this private key, PEM', 'file')
      .option(
        '--workload-token <file>',
        'instead of a key: the identity token of the platform it runs on; - for stdin, env for COUNTERSIGN_ID_TOKEN or this GitHub Actions job',
        'file',
      )
      .option('--provider <id>', 'with --workload-token: the provider, prv_…', 'text')
      .option('--tls-url <url>', 'the registry’s mutual-TLS address', 'url')
      .option('--ca <file>', 'certificate authority of that address, PEM', 'file')
      .option('--url', 'print only the link')
      .option('--token', 'print only the token; anyone who has it can bind a text to the link'),
  ).action(mintToken)
  example(
    mint,
    'tokens mint --model mdl_06dh0e3x7c9bw4vjz2n8qk5ytm --challenge "blue otter 42"',
    'tokens mint --model mdl_06dh0e3x7c9bw4vjz2n8qk5ytm --sign-key chat.key',
    'tokens mint --model mdl_06dh0e3x7c9bw4vjz2n8qk5ytm --workload-token env --provider prv_06dh0e3x7c9bw4vjz2n8qk5ytm',
    'tokens mint --model mdl_06dh0e3x7c9bw4vjz2n8qk5ytm --cert client.pem --key client.key --tls-url https://registry.example:4143',
  )

  const bind = addDryRun(
    tokens
      .command('bind')
      .summary('Bind an answer to a token')
      .description(
        'Binds an answer to a token, so that anyone with the answer can check that it is the one. The registry stores only its SHA-256. With your API key the answer counts as yours; without a key, visitors see that someone who held the token attached it.',
      )
      .argument('<token>', 'the token, not the link', 'text')
      .option('--file <file>', 'file with the exact bytes of the answer; - for stdin', {
        kind: 'file',
        isRequired: true,
      }),
  ).action(async (context, { args: [given = ''], flags }) => {
    const token = readToken(given)
    const body = { response_text: exactText(await context.files.read(flags.text('file') ?? '-')) }
    if (context.isDryRun) return printRequest(context, 'verifications', 'bind', { token }, body)
    const answer = await (await context.connect({ key: 'optional' })).verifications
      .bind(token, body)
      .catch((error: unknown) => {
        throw error instanceof ApiError && error.code === 'link_malformed' ? notToken(error) : error
      })
    if (answer.bound_by !== 'provider')
      context.out.warn(
        'Bound without the provider’s API key, so visitors see that someone who held the token attached it',
      )
    context.out.print({
      value: answer,
      ids: [answer.response_hash],
      text: (paint) =>
        facts(
          [
            ['answer', `sha256:${answer.response_hash}`],
            ['bound by', answer.bound_by],
            ['link', answer.verification_url, 'copied'],
            ['token', answer.bound_token, 'copied'],
          ],
          paint,
        ),
    })
  })
  example(bind, 'tokens bind eyJhbGciOi… --file answer.txt')
  declareTokenList(tokens)
  declareStats(tokens)
}

const mintToken = async (context: Context, { flags }: Call) => {
  const shown = (['url', 'token', 'json'] as const).filter((name) => flags.isOn(name))
  if (shown.length > 1) throw usage(`Use only one of ${shown.map((name) => `--${name}`).join(' and ')}`)
  const empty = Object.keys(flags.all).find((name) => flags.all[name] === '')
  if (empty !== undefined) throw usage(`${optionOf(empty)} is empty`, 'Give it a value, or leave it out')
  const { model_id } = await required(context, [['model', 'model_id', 'Model', await listChoices(context)]])
  const input = {
    user_fingerprint: flags.text('user'),
    challenge: flags.text('challenge'),
    // Never from the project file, but if that has one, it warns.
    origin: context.field('origin', 'origin'),
  }
  if (context.isDryRun)
    return printRequest(context, 'verifications', 'create', {}, { model_id: checkModelId(model_id), ...input })
  const cert = flags.text('cert') ?? flags.text('signKey')
  const { client, close } = await connectFor(context, flags)
  try {
    const model = await resolveModel(context, client, model_id).catch(hintingAtScopes(client))
    const answer = await withHints(
      context,
      { client, model, cert },
      client.verifications.create({ model_id: model, ...input }),
    ).catch(namingModel(model))
    const alone = flags.isOn('token') ? answer.token : flags.isOn('url') ? answer.verification_url : undefined
    if (alone !== undefined && context.out.mode !== 'json')
      context.out.print({ value: answer, ids: [alone], text: () => printable(alone) })
    else {
      context.out.print({
        value: answer,
        ids: [answer.verification_id],
        text: (paint) =>
          facts(
            [
              ['link', answer.verification_url, 'copied'],
              ['expires', shownTime(answer.expires_at)],
              [
                'deployment',
                answer.deployment_id === null
                  ? 'none'
                  : `${answer.deployment_id} (${bindingWords[answer.deployment_binding ?? 'self-asserted']})`,
              ],
              ['digest', answer.model_digest],
              ['token', 'not shown; use --token or --json'],
            ],
            paint,
          ),
      })
    }
    for (const warning of answer.warnings) context.out.warn(warning)
  } finally {
    await close()
  }
}

/** Identifiers to choose from, if someone can be asked and the key may read them. */
const listChoices = async (context: Context): Promise<string[] | undefined> => {
  if (!context.isInteractive || context.isDryRun || context.field('model', 'model_id') !== undefined) return undefined
  try {
    const client = await context.connect()
    const { models } = await client.providers.models(await providerIdOf(context, client), { limit: 50 })
    return models.length === 0 ? undefined : models.map(({ api_model_identifier }) => api_model_identifier)
  } catch (error) {
    if (error instanceof Failure || (error instanceof ApiError && error.code === 'forbidden')) return undefined
    throw error
  }
}

/** A key with only the links scope cannot look up an identifier. */
export const hintingAtScopes = (client: Countersign) => async (error: unknown) => {
  const isRefused = error instanceof ApiError && error.code === 'forbidden'
  const isMissing = error instanceof Failure && error.code === 'not_found'
  if (!isRefused && !(isMissing && (await lacksRead(client)))) throw error
  const restricted =
    'A key with only the links scope needs the model’s ID, mdl_…. Add --scope read when creating a key to use identifiers'
  const hint = isRefused ? restricted : `See: countersign models list --archived. ${restricted}`
  throw new Failure(error.code, error instanceof Failure ? error.exit : 4, detailOf(error), hint, { cause: error })
}

/** To a key without this scope, the list of models is that of a stranger. */
const lacksRead = (client: Countersign) =>
  client.keys.list().then(
    () => false,
    (error: unknown) => error instanceof ApiError && error.code === 'forbidden',
  )

interface Attempt {
  client: Countersign
  model: Model['id']
  cert: string | undefined
}

/** Adds the command that would authorize the deployment. */
const withHints = async <T>(context: Context, { client, model, cert }: Attempt, call: Promise<T>): Promise<T> => {
  try {
    return await call
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'deployment_not_authorized' || cert === undefined) throw error
    const { hex } = await readFingerprint(await context.files.read(cert), cert)
    const own = await client.deployments.list({ limit: 100 }).toArray()
    const deployment = own.find(({ spki_fingerprint }) => spki_fingerprint === hex)
    throw new Failure(
      error.code,
      4,
      error.detail,
      `Run: countersign deployments ${remedyFor(deployment, model, cert)}`,
      { cause: error },
    )
  }
}

const remedyFor = (deployment: Deployment | undefined, model: Model['id'], cert: string) => {
  if (deployment === undefined) return `register --cert ${shellWord(cert)} --model ${shellWord(model)}`
  if (deployment.status === 'disabled') return `enable ${shellWord(deployment.deployment_id)}`
  return deployment.authorized_models.some(({ id }) => id === model)
    ? 'list --json'
    : `authorize ${shellWord(deployment.deployment_id)} --model ${shellWord(model)}`
}

interface Connection {
  client: Countersign
  /** For a process that lasts: the client, or a new one if it is about to expire. */
  latest: () => Promise<Countersign>
  close: () => Promise<void>
}

const lasting = (client: Countersign, close = async () => {}): Connection => ({
  client,
  latest: async () => client,
  close,
})

/** Over mutual TLS if a certificate is given, otherwise over the ordinary address, signed if there is a key for it. */
export const connectFor = async (context: Context, flags: Flags): Promise<Connection> => {
  const [cert, key, signKey] = [flags.text('cert'), flags.text('key'), flags.text('signKey')]
  const workloadToken = flags.text('workloadToken')
  if (workloadToken !== undefined) {
    if (cert !== undefined || key !== undefined || signKey !== undefined)
      throw usage('--workload-token needs no other key: leave out --cert, --key and --sign-key')
    const { connectVouchedFor, renewed } = await import('../../registry/vouched-for.ts')
    const latest = renewed(
      () => connectVouchedFor(context, workloadToken, flags),
      () => context.now().getTime(),
    )
    return { ...lasting(await latest()), latest }
  }
  if (signKey !== undefined) {
    if (cert !== undefined || key !== undefined) throw usage('Use either --sign-key, or --cert and --key')
    return lasting(await context.connect({ sign: await signWith(context, signKey) }))
  }
  if (cert === undefined && key === undefined) return lasting(await context.connect())
  if (cert === undefined || key === undefined)
    throw usage(
      `--cert and --key must be used together: --${cert === undefined ? 'cert' : 'key'} is missing`,
      'Give the PEM files of the server’s certificate and of its private key',
    )
  const tlsUrl = context.setting('tls_url')
  if (tlsUrl === undefined)
    throw usage(
      'Minting with a certificate requires the registry’s mutual-TLS address',
      'Use --tls-url URL, or set COUNTERSIGN_TLS_URL',
    )
  const caFile = context.setting('ca_file')
  const { createMtlsFetch } = await import('@countersign/sdk/node')
  const { readCaFile } = await import('../../registry/connect.ts')
  const read = (name: string) => readFile(context.files.pathOf(name))
  const [certPem, keyPem] = [await read(cert), await read(key)]
  if (!isPemCertificate(certPem))
    throw new Failure(
      'not_a_key',
      2,
      `--cert: ${cert} is not a PEM certificate`,
      'Such a file begins with -----BEGIN CERTIFICATE-----',
    )
  readPrivateKey(keyPem, '--key', key)
  const fetch = makeFetch(createMtlsFetch, {
    cert: certPem,
    key: keyPem,
    ca: caFile === undefined ? undefined : readCaFile(context.files.pathOf(caFile)),
  })
  return lasting(await context.connect({ tlsUrl, fetch }), () => fetch.close())
}

const compareThem = 'Run `countersign fingerprint FILE` on both: the SPKI values must match'

/** Node also reads DER, but not for a connection. */
const isPemCertificate = (pem: Buffer) => {
  try {
    return pem.includes('-----BEGIN ') && Boolean(new X509Certificate(pem))
  } catch {
    return false
  }
}

const makeFetch = <Options, Fetch>(create: (options: Options) => Fetch, options: Options): Fetch => {
  try {
    return create(options)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw message.includes('does not belong')
      ? new Failure('not_a_key', 2, 'The key from --key does not belong to the certificate from --cert', compareThem, {
          cause: error,
        })
      : new Failure(
          'not_a_key',
          2,
          `The certificate or key cannot be used: ${message.replace(/^error:[^:]*:[^:]*::/, '')}`,
          'Both must be PEM, and the key must not be encrypted',
          {
            cause: error,
          },
        )
  }
}

const readToken = (given: string) => {
  const reading = readLink(given)
  if (reading.kind === 'token') return reading.token
  if (reading.kind === 'malformed') throw notToken()
  throw usage('Binding requires the token, not the link: only someone who holds the token may bind', tokenHint)
}

const tokenHint = 'countersign tokens mint prints the token with --token or --json'

const notToken = (cause?: ApiError) =>
  new Failure('usage', 2, 'This is not a token of a link: three parts with dots, which begin with eyJ', tokenHint, {
    cause,
  })

/** Decodes strictly: the text's UTF-8 bytes are exactly these, byte order mark included. */
export const exactText = (bytes: Uint8Array) => {
  if (bytes.length === 0) throw usage('The answer is empty')
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw usage('The answer is not UTF-8 text')
  }
}
