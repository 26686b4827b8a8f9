import { readFile } from 'node:fs/promises'
import { addDryRun, type Call, type Declare, example } from '../command.ts'
import type { Context } from '../context.ts'
import { Failure, usage } from '../failure.ts'
import { facts } from '../output.ts'
import { printRequest } from '../request.ts'
import { required } from '../required.ts'

export const declareTokens: Declare = (tokens, act) => {
  example(tokens, 'tokens mint --model mdl_06dh0e3x7c9bw4vjz2n8qk5ytm --url')

  const mint = addDryRun(
    tokens
      .command('mint')
      .summary('Mint a verification link')
      .description(
        'Mints a verification link for a model. With a certificate and key it is minted over mutual TLS, which proves the deployment.',
      )
      .option('--model <id>', 'mdl_…')
      .option('--user <text>', 'whatever stands for the user; only an HMAC of it is kept')
      .option('--challenge <text>', 'a phrase that the visitor gave, shown on the page')
      .option('--origin <url>', 'the https origin where the chat should be')
      .option('--cert <file>', 'client certificate of the deployment, PEM')
      .option('--key <file>', 'its private key, PEM; never leaves the machine')
      .option('--tls-url <url>', 'address of the registry for mutual TLS')
      .option('--ca <file>', 'certificate authority of that address, PEM')
      .option('--url', 'print only the link'),
  ).action(act(mintToken))
  example(
    mint,
    'tokens mint --model mdl_06dh0e3x7c9bw4vjz2n8qk5ytm --challenge "blue otter 42"',
    'tokens mint --model mdl_06dh0e3x7c9bw4vjz2n8qk5ytm --cert client.pem --key client.key --tls-url https://registry.example:4143',
  )

  const bind = addDryRun(
    tokens
      .command('bind')
      .summary('Bind an answer to a token')
      .description('Binds an answer to a token: whoever has the answer can check that it is this one. The registry keeps only its SHA-256.')
      .argument('<token>', 'the token, not the link')
      .requiredOption('--file <file>', 'the exact bytes of the answer; - for stdin'),
  ).action(
    act(async (context, { args: [token = ''], flags }) => {
      const body = { response_text: exactText(await context.files.read(flags.text('file') ?? '-')) }
      if (context.isDryRun) return printRequest(context, 'verifications', 'bind', { token }, body)
      const answer = await (await context.connect({ key: 'optional' })).verifications.bind(token, body)
      context.out.print({
        value: answer,
        ids: [answer.response_hash],
        text: (paint) =>
          facts(
            [
              ['answer', `sha256:${answer.response_hash}`],
              ['bound by', answer.bound_by],
              ['link', answer.verification_url],
              ['token', answer.bound_token],
            ],
            paint,
          ),
      })
    }),
  )
  example(bind, 'tokens bind eyJhbGciOi… --file answer.txt')
}

const mintToken = async (context: Context, { flags }: Call) => {
  const { model_id } = await required(context, [['model', 'model_id', 'Model']])
  const body = {
    model_id: model_id as `mdl_${string}`,
    user_fingerprint: flags.text('user'),
    challenge: flags.text('challenge'),
    origin: context.field('origin', 'origin'),
  }
  if (context.isDryRun) return printRequest(context, 'verifications', 'create', {}, body)
  const { client, close } = await connectFor(context, flags.text('cert'), flags.text('key'))
  try {
    const answer = await client.verifications.create(body)
    if (flags.isOn('url') && context.out.mode !== 'json')
      context.out.print({ value: answer, ids: [answer.verification_url], text: () => answer.verification_url })
    else {
      context.out.print({
        value: answer,
        ids: [answer.verification_id],
        text: (paint) =>
          facts(
            [
              ['link', answer.verification_url],
              ['valid until', answer.expires_at],
              [
                'deployment',
                answer.deployment_id === null
                  ? 'none'
                  : `${answer.deployment_id} (${bindingWords[answer.deployment_binding ?? 'self-asserted']})`,
              ],
              ['digest', answer.model_digest],
              ['token', answer.token],
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

const bindingWords = { mtls: 'proven by mutual TLS', proxy: 'proven by a trusted proxy', 'self-asserted': 'named, not proven' } as const

/** Over mutual TLS where a certificate is given, else over the ordinary address. */
const connectFor = async (context: Context, cert: string | undefined, key: string | undefined) => {
  if (cert === undefined && key === undefined) return { client: await context.connect(), close: async () => {} }
  if (cert === undefined || key === undefined) throw usage('--cert and --key belong together')
  const tlsUrl = context.setting('tls_url')
  if (tlsUrl === undefined)
    throw usage('Minting with a certificate needs the registry’s address for mutual TLS', 'Use --tls-url URL, or set COUNTERSIGN_TLS_URL')
  const caFile = context.setting('ca_file')
  const { createMtlsFetch } = await import('@countersign/sdk/node')
  const read = (name: string) => readFile(context.files.pathOf(name))
  const fetch = makeFetch(createMtlsFetch, {
    cert: await read(cert),
    key: await read(key),
    ca: caFile === undefined ? undefined : await read(caFile),
  })
  return { client: await context.connect({ tlsUrl, fetch }), close: () => fetch.close() }
}

const makeFetch = <Options, Fetch>(create: (options: Options) => Fetch, options: Options): Fetch => {
  try {
    return create(options)
  } catch (error) {
    throw new Failure(
      'not_a_key',
      2,
      `The certificate or key cannot be used: ${error instanceof Error ? error.message : error}`,
      'Both must be PEM, and the key must not be encrypted',
      { cause: error },
    )
  }
}

/** The text whose UTF-8 bytes are exactly these: nothing replaced, no byte order mark dropped. */
export const exactText = (bytes: Uint8Array) => {
  if (bytes.length === 0) throw usage('The answer is empty')
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw usage('The answer is not UTF-8 text')
  }
}
