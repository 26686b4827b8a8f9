import { randomUUID } from 'node:crypto'
import { createLinkIssuer } from '@countersign/sdk'
import { type Call, type Declare, example } from '../../args/command.ts'
import type { Context } from '../../context.ts'
import { usage } from '../../failure.ts'
import { namingModel, resolveModel } from '../../registry/own-model.ts'
import { reportOf } from '../../render/report.ts'
import { connectFor, hintingAtScopes } from '../tokens/tokens.ts'

export const declareMcp: Declare = (mcp) => {
  mcp
    .description(
      'Speaks the Model Context Protocol on stdin and stdout, and offers one tool: get_verification_link. Which model the links are for is said here; the tool itself takes the phrase of a visitor and nothing else. Each process is one session and hands out one link until that is nearly over. Ends when its stdin ends.',
    )
    .option('--model <model>', 'whom it speaks for: mdl_…, or an identifier of yours for its latest version', 'model')
    .option('--origin <url>', 'the https origin where the chat should be', 'url')
    .option('--cert <file>', 'client certificate of the deployment, PEM', 'file')
    .option('--key <file>', 'its private key, PEM; never leaves the machine', 'file')
    .option('--tls-url <url>', 'address of the registry for mutual TLS', 'url')
    .option('--ca <file>', 'certificate authority of that address, PEM', 'file')
    .action(serveLinks)
  example(mcp, 'mcp --model mdl_06dh0e3x7c9bw4vjz2n8qk5ytm', 'mcp --model acme-chat --origin https://chat.acme.example')
}

const serveLinks = async (context: Context, { flags }: Call) => {
  const named = flags.text('model') ?? (context.env.COUNTERSIGN_MODEL || context.field('model', 'model_id'))
  // Never asked for: what stdin says is the protocol.
  if (named === undefined)
    throw usage(
      'Missing: --model',
      'Give the option, or set COUNTERSIGN_MODEL, or model_id in .countersign.json. See: countersign models list',
    )
  const { client, close } = await connectFor(context, flags.text('cert'), flags.text('key'))
  try {
    const modelId = await resolveModel(context, client, named).catch(hintingAtScopes)
    const issuer = createLinkIssuer({ client, modelId, origin: context.field('origin', 'origin') })
    const { serveMcp } = await import('./mcp-server.ts')
    if (process.stdin.isTTY) context.out.say('This speaks MCP on stdin and stdout: a client starts it. Ctrl-C ends it.')
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
  const { message, hint } = reportOf(await context.explained(named))
  return hint === null ? message : `${message.replace(/\.$/, '')}. ${hint}`
}
