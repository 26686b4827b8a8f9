import { existsSync } from 'node:fs'
import type { BundleVerdict } from '@countersign/sdk/contract'
import { Digest } from '@countersign/sdk/contract'
import type { Command } from 'commander'
import { sayLocalHint } from '../bundle-hint.ts'
import { describeVerdict, exitOf, isAttestation } from '../bundle-verdict.ts'
import { type Act, addOptions, type Call, example } from '../command.ts'
import { hasDifferences } from '../compare-files.ts'
import type { Context } from '../context.ts'
import { usage } from '../failure.ts'
import { addHashOptions, hashPath } from '../hash-path.ts'
import { type Paint, printable } from '../output.ts'
import { compareSigned, type SignedFiles } from '../signed-files.ts'
import { addSignerOptions, requireSigner } from '../signer-flags.ts'

const addVerifyOptions = (command: Command) =>
  addOptions(
    addSignerOptions(
      addHashOptions(
        command
          .argument('<path-or-digest>', 'the model, a file or a folder; or sha256: and 64 hex digits')
          .option('--bundle <file>', 'the signed bundle, or - for stdin'),
      ),
    ),
    [
      ['--trusted-root <file>', 'trusted_root.json of another Sigstore than the public one, or of a newer date'],
      ['--ignore-unsigned-files', 'accept files that were not signed beside those that were'],
    ],
  )

export const declareBundleVerify = (bundles: Command, act: Act) => {
  const verify = addVerifyOptions(
    bundles
      .command('verify')
      .summary('Check a bundle and the files that it is about, offline')
      .description(
        'Checks who signed a model, and that the files are those that were signed: which differ, are missing or were added is told by name. Asks no network. Exits 0 where all holds, 3 where anything does not, 9 where it could not be checked.',
      ),
  ).action(
    act(async (context, call) => {
      const outcome = await verifyPath(context, call)
      print(context, outcome)
      return outcome.exit
    }),
  )
  example(
    verify,
    'bundles verify ./tiny --bundle tiny/model.sig --key key.pub',
    'bundles verify ./tiny --bundle tiny/model.sig --repository https://github.com/acme/models',
  )
}

/** As the conformance suites of Sigstore call it. */
export const declareVerifyBundle = (command: Command, act: Act) => {
  addVerifyOptions(
    command.description(
      'Checks a signed bundle against a file or a digest, as the conformance suite of Sigstore calls it: exits 0 where it holds and 3 where it does not. For people: countersign bundles verify.',
    ),
  ).action(
    act(async (context, call) => {
      const outcome = await verifyPath(context, call)
      print(context, outcome)
      return outcome.exit === 0 ? 0 : 3
    }),
  )
  example(command, 'verify-bundle --bundle model.sigstore.json --key key.pub sha256:…')
}

interface Outcome {
  exit: 0 | 3 | 9
  /** `signature_valid`: an attestation about the digest, by the named signer. */
  result: 'verified' | 'signature_valid' | 'not_verified' | 'could_not_check'
  digest: string
  /** Where the bundle lists files and files were given. */
  files: Omit<SignedFiles, 'digest'> | null
  verdict: BundleVerdict
}

const results = { 0: 'verified', 3: 'not_verified', 9: 'could_not_check' } as const

/** Statements may name a file by these, too. */
const longDigest = /^(sha384:[0-9a-f]{96}|sha512:[0-9a-f]{128})$/

const verifyPath = async (context: Context, { args: [named = ''], flags }: Call): Promise<Outcome> => {
  const file = flags.text('bundle')
  if (file === undefined) throw usage('Missing: --bundle FILE', 'Folders that were signed hold it as model.sig')
  const signer = await requireSigner(context, flags)
  const bundle = await context.files.read(file)
  const { readModelSigning, readTrustedRoot, verifyBundle } = await import('@countersign/sdk/integrity')
  const rootFile = flags.text('trustedRoot')
  const trustedRoot = readTrustedRoot(rootFile === undefined ? undefined : await context.files.read(rootFile))
  const verdictOn = (digest: string) => verifyBundle({ bundle, trustedRoot, digest, signers: [signer], now: context.now() })

  const stated = Digest.safeParse(named).data ?? longDigest.exec(named)?.[0]
  // Caches name files by what they should hold: whether they do is the question.
  if (stated !== undefined && existsSync(context.files.pathOf(named)))
    throw usage(
      `${named} is a digest, and a file or folder here has that name`,
      `Write ./${named} to have it read, or check the digest from elsewhere`,
    )
  if (stated !== undefined) return outcomeOf(verdictOn(stated), stated, null)
  const signing = readModelSigning(bundle)
  if (signing.state === 'invalid') {
    const { digest } = await hashPath(context, flags, named, { exclude: [context.files.pathOf(file)] })
    return outcomeOf(verdictOn(digest), digest, null)
  }
  // Who signed is one question, what became of the files another: both are answered.
  const { digest, ...files } = await compareSigned(context, flags, named, signing.model, file)
  const isSame = !hasDifferences(files)
  return outcomeOf(verdictOn(isSame ? digest : signing.model.root_digest), digest, files)
}

const outcomeOf = (verdict: BundleVerdict, digest: string, files: Outcome['files']): Outcome => {
  const isSame = files === null || !hasDifferences(files)
  const exit = !isSame ? 3 : isAttestation(verdict) ? 0 : exitOf(verdict.status)
  return { exit, result: isSame && isAttestation(verdict) ? 'signature_valid' : results[exit], digest, files, verdict }
}

const print = (context: Context, outcome: Outcome) => {
  const { exit: _, ...value } = outcome
  const { files } = outcome
  context.out.print({
    value,
    ids: files ? [...files.changed, ...files.missing, ...files.extra] : [],
    text: (paint) => describe(outcome, paint),
  })
  sayLocalHint(context, outcome.verdict)
}

const describe = ({ verdict, files }: Outcome, paint: Paint): string => {
  const told = describeVerdict(verdict.status, verdict, paint)
  if (files === null) return told
  if (!hasDifferences(files))
    return `${told}\n${verdict.status === 'verified' ? 'All files are those that were signed.' : 'All files are as the bundle lists them.'}`
  return [
    `${paint.red('Different')}: these are not the files that were signed. Get them again from where they came, or sign them anew.`,
    ...files.changed.map((name) => `  changed  ${printable(name)}`),
    ...files.missing.map((name) => `  missing  ${printable(name)}`),
    ...files.extra.map((name) => `  extra    ${printable(name)}`),
    `\nThe bundle by itself, whatever the files are:\n${told}`,
  ].join('\n')
}
