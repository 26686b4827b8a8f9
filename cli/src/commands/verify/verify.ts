import { createHash } from 'node:crypto'
import { createVerifier, isId, readLink } from '@countersign/sdk/verify'
import { addOptions, type Call, type Declare, example, type Flags, type OptionRow } from '../../args/command.ts'
import { checkSetting } from '../../config/settings.ts'
import type { Context } from '../../context.ts'
import { Failure, Interruption, usage } from '../../failure.ts'
import { unreadable } from '../../io/files.ts'
import { quotedDetailOf } from '../../render/detail.ts'
import {
  exitOfVerdict,
  ofOffline,
  ofOnline,
  unknown,
  type Verdict,
  withAnswer,
  withDeploymentProof,
} from './verdict.ts'
import { describeVerdict } from './verdict-text.ts'

const verifyOptions: readonly OptionRow[] = [
  ['--offline', 'check a token with saved keys, without a network; live status is not checked'],
  ['--jwks <file>', 'with --offline: the registry’s public keys, from /.well-known/jwks.json', 'file'],
  ['--issuer <url>', 'the registry’s public address, if it differs from --api-url', 'url'],
  ['--expect-provider <domain>', 'verified domain the provider must have', 'text'],
  ['--expect-model <id>', 'model it must be for', 'text'],
  ['--expect-digest <sha256>', 'digest that the provider must state for the model', 'digest'],
  ['--answer <file>', 'file with the answer that its provider must have bound to it; - for stdin', 'file'],
  ['--log-policy <file>', 'accept only facts in a log that this policy trusts (c2sp.org/tlog-policy)', 'file'],
  ['--save <file>', 'keep the verdict with the log’s proofs, as evidence', 'file'],
  ['--require-deployment-proof', 'accept only a link whose server proved its key'],
  ['--allow-unverified-provider', 'accept a provider with an unchecked domain'],
]

export const declare: Declare = (verify) => {
  verify
    .description(
      'Checks a verification link, its code, or a token. Exits 0 if it is verified, 3 if it is not, and 9 if it could not be checked.',
    )
    .verdicts(3, 9)
    .argument('<link>', 'link, code or token; - for stdin', { readsStdin: true })
  addOptions(verify, verifyOptions).action(verifyLink)
  example(
    verify,
    'verify https://registry.example/v/W904-2CKW-GDNC-X7S1 --expect-provider acme.example',
    'verify eyJhbGciOi… --offline --jwks jwks.json',
  )
}

export const verifyLink = async (context: Context, { args: [link = ''], flags }: Pick<Call, 'args' | 'flags'>) => {
  const answerFile = flags.text('answer')
  if (link === '-' && answerFile === '-') throw usage('stdin cannot be both the link and the answer')
  const expect = readExpectation(flags)
  const isOffline = flags.isOn('offline')
  if (isOffline !== (flags.text('jwks') !== undefined))
    throw usage(
      '--offline and --jwks FILE must be used together',
      'Save the keys from the registry’s /.well-known/jwks.json',
    )
  const issuer = checkSetting('api_url', flags.text('issuer') ?? context.setting('api_url') ?? '')
  const answerHash =
    answerFile === undefined
      ? undefined
      : createHash('sha256')
          .update(await context.files.read(answerFile))
          .digest('hex')
  const input = link === '-' ? new TextDecoder().decode(await context.files.read('-')) : link
  if (input.trim() === '') throw usage('The link is empty', 'Give a link, its code or its token')
  const options = { expect, allowUnverifiedProvider: flags.isOn('allowUnverifiedProvider') }

  const wanted = await readLogOptions(context, flags, isOffline, input)
  const verdict = await attempt(isOffline, () =>
    isOffline
      ? checkOffline(context, input, issuer, flags.text('jwks') ?? '', options)
      : checkOnline(context, input, issuer, options),
  )
  const proven = flags.isOn('requireDeploymentProof') ? withDeploymentProof(verdict) : verdict
  const answered = answerHash === undefined ? proven : withAnswer(proven, answerHash)
  const final = wanted ? await wanted(answered) : answered
  const jti = final.claims?.jti
  const textOptions = { isVerbose: flags.isOn('verbose'), registry: issuer, origin: readLink(input).origin }
  context.out.print({
    value: final,
    ids: typeof jti === 'string' ? [jti] : [],
    text: (paint, columns) => describeVerdict(final, paint, { ...textOptions, columns }),
  })
  if (final.result === 'unknown') context.out.say(`hint: ${await wayToKnow(isOffline, issuer)}`)
  return exitOfVerdict(final)
}

/** The code that checks logs is loaded only if it is needed. */
const readLogOptions = async (context: Context, flags: Flags, isOffline: boolean, input: string) => {
  const [policyFile, save] = [flags.text('logPolicy'), flags.text('save')]
  if (policyFile === undefined && save === undefined) return undefined
  if (isOffline) throw usage('--log-policy and --save need the registry', 'Check without --offline')
  const { checkLogged, readLogPolicy } = await import('./logged.ts')
  const policy = policyFile === undefined ? undefined : await readLogPolicy(context, policyFile)
  return (verdict: Verdict) => checkLogged(context, input, verdict, { policy, save })
}

const wayToKnow = async (isOffline: boolean, url: string) => {
  if (isOffline) return 'Save the registry’s keys again, or check without --offline'
  const { originHint } = await import('../../render/error-hints.ts')
  return originHint(url) ?? 'Find out why: countersign doctor'
}

interface Options {
  expect: Expectation | undefined
  allowUnverifiedProvider: boolean
}

type Expectation = { provider_domain?: string; model_id?: string; model_digest?: string }

// Any failure while checking means "could not check", never silence or another exit code.
const attempt = async (isOffline: boolean, check: () => Promise<Verdict>): Promise<Verdict> => {
  try {
    return await check()
  } catch (error) {
    if (error instanceof Interruption || (error instanceof Failure && error.exit === 2)) throw error
    return unknown(quotedDetailOf(error), isOffline)
  }
}

const checkOffline = async (
  { files, now }: Context,
  input: string,
  issuer: string,
  jwks: string,
  options: Options,
): Promise<Verdict> => {
  const { kind, origin } = readLink(input)
  if (kind === 'code' && (origin === null || origin === new URL(issuer).origin)) {
    throw usage(
      'A link code can only be checked online: the registry keeps the token that it stands for',
      'Check without --offline, or give the token: the program that made the link has it (countersign tokens mint)',
    )
  }
  const verifier = createVerifier({ issuer, jwks: await readJwks({ files }, jwks), now: () => now().getTime() })
  return ofOffline(await verifier.verify(input, options))
}

const readJwks = async ({ files }: Pick<Context, 'files'>, name: string) => {
  const hint = 'Save the keys from the registry’s /.well-known/jwks.json'
  const bytes = await files.read(name).catch((cause) => {
    throw new Failure('file', 2, `--jwks: ${unreadable(cause, name)}`, hint, { cause })
  })
  const keys = keysIn(new TextDecoder().decode(bytes))
  if (keys === undefined) throw usage(`--jwks: ${name} does not contain a registry’s public keys (a JWKS)`, hint)
  return { keys }
}

const keysIn = (text: string) => {
  try {
    const jwks: unknown = JSON.parse(text)
    if (typeof jwks === 'object' && jwks !== null && 'keys' in jwks && Array.isArray(jwks.keys)) return jwks.keys
  } catch {}
  return undefined
}

const checkOnline = async (context: Context, input: string, issuer: string, options: Options): Promise<Verdict> => {
  const client = await context.connect({ key: 'none' })
  return ofOnline(
    await client.verifications.check(input, {
      ...options,
      issuer,
      signal: context.signal,
      now: () => context.now().getTime(),
    }),
  )
}

const readExpectation = (flags: Flags): Expectation | undefined => {
  const digest = flags.text('expectDigest')
  if (digest !== undefined && !/^(sha256:)?[0-9a-f]{64}$/i.test(digest))
    throw usage('--expect-digest must be sha256: and 64 hex digits')
  const given = {
    provider_domain: readDomain(flags.text('expectProvider')),
    model_id: readModelId(flags.text('expectModel')),
    model_digest: digest === undefined ? undefined : `sha256:${digest.slice(-64).toLowerCase()}`,
  }
  const entries = Object.entries(given).filter(([, value]) => value !== undefined)
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

// An expectation that can never be met is a usage error, not a verdict on the link.
const readDomain = (given: string | undefined) => {
  if (given === undefined || /^(?=.{3,253}$)([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9][a-z0-9-]*[a-z0-9]$/i.test(given))
    return given?.toLowerCase()
  throw usage(`--expect-provider must be a domain such as acme.example, not ${JSON.stringify(given)}`)
}

const readModelId = (given: string | undefined) => {
  if (given === undefined || isId('mdl', given)) return given
  throw usage(
    `--expect-model must be a model ID, mdl_ and 26 characters, not ${JSON.stringify(given)}`,
    'An identifier is not enough: different providers can use the same one',
  )
}
