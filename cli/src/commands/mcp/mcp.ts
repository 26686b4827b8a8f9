import { randomUUID } from 'node:crypto'
import { createLinkIssuer } from '@countersign/sdk'
import { type Call, type Declare, example } from '../../args/command.ts'
import type { Context } from '../../context.ts'
import { usage } from '../../failure.ts'
import { namingModel, resolveModel } from '../../registry/own-model.ts'
import { reportOf } from '../../render/report.ts'
import { connectFor, hintingAtScopes } from '../tokens/tokens.ts'

export const declare: Declare = (mcp) => {
  mcp
    .description(
      'Runs an MCP server on stdin and stdout with one tool, get_verification_link. The options choose the model; the tool itself accepts only a visitor’s phrase. Each process is one session and returns the same link until it is about to expire. Exits when stdin closes.',
    )
    .option('--model <model>', 'model to mint links for: mdl_…, or your identifier for its latest version', 'model')
    .option('--origin <url>', 'the https origin where the chat runs', 'url')
    .option('--cert <file>', 'the deployment’s client certificate, PEM', 'file')
    .option('--key <file>', 'its private key, PEM; never leaves this machine', 'file')
    .option('--sign-key <file>', 'instead of --cert: sign requests with this private key, PEM', 'file')
    .option(
      '--workload-token <file>',
      'instead of a key: file with the identity token of the platform it runs on, read again each hour; env for COUNTERSIGN_ID_TOKEN or this GitHub Actions job',
      'file',
    )
    .option('--provider <id>', 'with --workload-token: the provider, prv_…', 'text')
    .option('--tls-url <url>', 'the registry’s mutual-TLS address', 'url')
    .option('--ca <file>', 'certificate authority of that address, PEM', 'file')
    .action(serveLinks)
  example(
    mcp,
    'mcp --model mdl_06dh0e3x7c9bw4vjz2n8qk5ytm',
    'mcp --model acme-chat --origin https://chat.acme.example',
    'mcp --model mdl_06dh0e3x7c9bw4vjz2n8qk5ytm --workload-token /var/run/token --provider prv_06dh0e3x7c9bw4vjz2n8qk5ytm',
  )
}

const serveLinks = async (context: Context, { flags }: Call) => {
  const named = flags.text('model') ?? (context.env.COUNTERSIGN_MODEL || context.field('model', 'model_id'))
  // Never prompt: stdin carries the protocol.
  if (named === undefined)
    throw usage(
      'Missing: --model',
      'Use --model, set COUNTERSIGN_MODEL, or put model_id in .countersign.json. See: countersign models list',
    )
  if (flags.text('workloadToken') === '-')
    throw usage('--workload-token: stdin carries the protocol', 'Give a file, or env')
  const { client, latest, close } = await connectFor(context, flags)
  try {
    const modelId = await resolveModel(context, client, named).catch(hintingAtScopes(client))
    const create = async (...given: Parameters<typeof client.verifications.create>) =>
      (await latest()).verifications.create(...given)
    const issuer = createLinkIssuer({
      client: { verifications: { create } },
      modelId,
      // Never from the project file, but if that has one, it warns.
      origin: context.field('origin', 'origin'),
    })
    const { serveMcp } = await import('./mcp-server.ts')
    if (process.stdin.isTTY)
      context.out.say(
        'This command speaks MCP on stdin and stdout and is meant to be started by an MCP client. Ctrl-C ends it.',
      )
    await serveMcp({
      issuer,
      sessionId: randomUUID(),
      signal: context.signal,
      onError: (cause) => void inWords(context, cause, modelId).then(context.out.warn),
      onConfused: ({ message }) => context.out.warn(message),
    })
  } finally {
    await close()
  }
}

const inWords = async (context: Context, cause: unknown, modelId: string) => {
  const named = await Promise.reject(cause)
    .catch(namingModel(modelId))
    .catch((error: unknown) => error)
  const { message, hint } = reportOf(await context.withHint(named))
  return hint === null ? message : `${message.replace(/\.$/, '')}. ${hint}`
}
