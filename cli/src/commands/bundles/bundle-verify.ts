import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { BundleVerdict, DeclaredSigner } from '@countersign/sdk/contract'
import { Digest } from '@countersign/sdk/contract'
import type { TrustedRootSource } from '@countersign/sdk/integrity'
import { quoteFile } from '@countersign/sdk/words'
import { addOptions, type Call, type Command, example } from '../../args/command.ts'
import type { Context } from '../../context.ts'
import { usage } from '../../failure.ts'
import { hasDifferences } from '../../files/compare-files.ts'
import { addHashOptions, hashPath, pathsOfBundles } from '../../files/hash-path.ts'
import { type ComparedFiles, compareSigned, type SignedFiles } from '../../files/signed-files.ts'
import type { Paint } from '../../render/output.ts'
import { shownFile } from '../../render/quotation.ts'
import { sayLocalHint } from './bundle-hint.ts'
import { describeVerdict, exitOf, isAttestation } from './bundle-verdict.ts'
import { addSignerOptions, requireSigners } from './signer-flags.ts'

const addVerifyOptions = (command: Command) =>
  addOptions(
    addSignerOptions(
      addHashOptions(
        command
          .argument('<path-or-digest>', 'the model, a file or a folder; or sha256: and 64 hex digits', 'file')
          .option('--bundle <file>', 'the signed bundle, or - for stdin', { kind: 'file', isRepeated: true }),
      ),
    ),
    [
      [
        '--trusted-root <file>',
        'trusted_root.json of another Sigstore instance, or a newer one of the public instance',
        'file',
      ],
      ['--ignore-unsigned-files', 'accept extra files that were not signed'],
    ],
  )

export const declareBundleVerify = (bundles: Command) => {
  const verify = addVerifyOptions(
    bundles
      .command('verify')
      .summary('Check a bundle and its files offline')
      .description(
        'Checks who signed a model and that its files are the signed ones, and lists changed, missing and extra files. Works offline. If several signers each signed their own bundle, give each bundle with --bundle and each signer with --signer. Exits 0 if everything matches, 3 if anything does not, and 9 if it could not be checked.',
      )
      .verdicts(3, 9),
  )
  addThresholdOptions(verify).action(async (context, call) => {
    const task = await readTask(context, call)
    if (task.files.length > 1 || call.flags.text('threshold') !== undefined) return verifyAll(context, call, task)
    const outcome = await verifyPath(context, call, task)
    print(context, outcome)
    return outcome.exit
  })
  example(
    verify,
    'bundles verify ./tiny --bundle tiny/model.sig --key key.pub',
    'bundles verify ./tiny --bundle tiny/model.sig --repository https://github.com/acme/models',
    'bundles verify ./tiny --bundle a.sig --bundle b.sig --signer key=a.pub --signer key=b.pub --signer key=c.pub --threshold 2',
  )
}

const addThresholdOptions = (command: Command) =>
  command
    .option(
      '--signer <signer>',
      'an accepted signer: key=FILE, certificate-chain=FILE, repository=URL[,workflow=PATH] or identity=NAME,issuer=URL; repeatable',
      { kind: 'text', isRepeated: true },
    )
    .option('--threshold <n>', 'how many different signers must have signed; default: one per bundle', 'number')

/** The interface that Sigstore's conformance suites call. */
export const declareVerifyBundle = (command: Command) => {
  addVerifyOptions(
    command
      .description(
        'Checks a signed bundle against a file or a digest, with the interface of Sigstore’s conformance suite. Exits 0 if it is valid and 3 if not. Most people want: countersign bundles verify.',
      )
      .verdicts(3),
  ).action(async (context, call) => {
    const task = await readTask(context, call)
    if (task.files.length > 1)
      throw usage('verify-bundle accepts one bundle', 'Check several with: countersign bundles verify')
    const outcome = await verifyPath(context, call, task)
    print(context, outcome)
    return outcome.exit === 0 ? 0 : 3
  })
  example(command, 'verify-bundle --bundle model.sigstore.json --key key.pub sha256:…')
}

interface Outcome {
  exit: 0 | 3 | 9
  /** `signature_valid`: a statement about the digest by the named signer. */
  result: 'verified' | 'signature_valid' | 'not_verified' | 'could_not_check'
  digest: string
  /** Only if the bundle lists files and files were given. */
  files: Omit<SignedFiles, 'digest'> | null
  verdict: BundleVerdict
}

const results = { 0: 'verified', 3: 'not_verified', 9: 'could_not_check' } as const

/** Statements may also name a file by these algorithms. */
const longDigest = /^(sha384:[0-9a-f]{96}|sha512:[0-9a-f]{128})$/

interface Task {
  files: readonly string[]
  signers: readonly DeclaredSigner[]
  threshold: number
  trustedRoot: TrustedRootSource
}

const readTask = async (context: Context, { flags }: Call): Promise<Task> => {
  const files = flags.list('bundle')
  if (files.length === 0) throw usage('Missing: --bundle FILE', 'A signed folder contains its bundle as model.sig')
  const signers = await requireSigners(context, flags)
  const rootFile = flags.text('trustedRoot')
  const { readTrustedRoot } = await import('@countersign/sdk/integrity')
  const trustedRoot = readTrustedRoot(rootFile === undefined ? undefined : await context.files.read(rootFile))
  return { files, signers, threshold: thresholdOf(flags.text('threshold'), files, signers), trustedRoot }
}

/** A requirement that can never be met is a usage error, not a reason to distrust a model. */
const thresholdOf = (
  given: string | undefined,
  files: readonly string[],
  signers: readonly DeclaredSigner[],
): number => {
  const threshold = given === undefined ? files.length : Number(given)
  if (given !== undefined && !/^[1-9]\d*$/.test(given))
    throw usage(`--threshold must be a whole number of 1 or more, not ${JSON.stringify(given)}`)
  const most = Math.min(files.length, signers.length)
  if (threshold > most)
    throw usage(
      `${threshold} signatures are required, but only ${files.length === 1 ? '1 bundle' : `${files.length} bundles`} and ${signers.length} ${signers.length === 1 ? 'signer' : 'signers'} were given`,
      'Give each bundle with --bundle and each signer with --signer, or lower --threshold',
    )
  return threshold
}

const verifyPath = async (context: Context, call: Call, { files, signers, trustedRoot }: Task): Promise<Outcome> => {
  const { verifyBundle } = await import('@countersign/sdk/integrity')
  const [found] = await findDigests(context, call, files)
  if (!found) throw usage('Missing: --bundle FILE')
  return outcomeOf(verifyBundle({ ...inputOf(found), trustedRoot, signers, now: context.now() }), found)
}

const inputOf = ({ bundle, digest, names }: Found) => ({ bundle, digest, ...(names && { files: names }) })

interface Found extends Pick<Outcome, 'digest' | 'files'> {
  file: string
  bundle: Uint8Array
  /** The local digest, if the bundle lists no files. */
  names?: readonly { name: string; digest: string }[]
  /** The files in a folder that the bundle lists. */
  signed?: readonly string[]
}

/** What each bundle must have signed, according to the local files. */
const findDigests = async (
  context: Context,
  { args: [named = ''], flags }: Call,
  files: readonly string[],
): Promise<Found[]> => {
  const { readModelSigning } = await import('@countersign/sdk/integrity')
  const stated = Digest.safeParse(named).data ?? longDigest.exec(named)?.[0]
  // Don't trust cached digests: whether the files still match is the question.
  if (stated !== undefined && existsSync(context.files.pathOf(named)))
    throw usage(
      `${named} is a digest, but a file or folder here has that name`,
      `Write ./${named} to read it, or run this elsewhere to check the digest`,
    )
  const found: Found[] = []
  /** Signers of the same files list the same ones, so read them once. */
  const compared = new Map<string, ComparedFiles>()
  for (const file of files) {
    const bundle = await context.files.read(file)
    const signing = stated === undefined ? readModelSigning(bundle) : undefined
    if (stated !== undefined) found.push({ file, bundle, digest: stated, files: null })
    else if (signing?.state === 'read') {
      // Report both who signed and whether the files match.
      const list = JSON.stringify({ ...signing.model, name: '' })
      const comparison = compared.get(list) ?? (await compareSigned(context, flags, named, signing.model, files))
      compared.set(list, comparison)
      const { digest, names: signed, ...rest } = comparison
      found.push({
        file,
        bundle,
        digest: hasDifferences(rest) ? signing.model.root_digest : digest,
        files: rest,
        signed,
      })
    } else {
      const hash = await hashPath(context, flags, named, { exclude: pathsOfBundles(context, files), isVerifying: true })
      found.push({ file, bundle, digest: hash.digest, files: null, names: hash.files })
    }
  }
  return found
}

const heads = {
  0: (paint: Paint) => paint.green('Verified'),
  3: (paint: Paint) => paint.red('Not verified'),
  9: (paint: Paint) => paint.yellow('Could not be checked'),
} as const

/**
 * Only bundles over the files that are here count. A bundle that omits a file which another lists signs less, so it doesn't count;
 * a bundle file is never part of the model.
 */
const overSameFiles = (context: Context, [named = '']: readonly string[], found: readonly Found[]): Found[] => {
  const same = found.filter(({ files }) => files === null || !hasDifferences(files))
  const bundles = pathsOfBundles(
    context,
    found.map(({ file }) => file),
  )
  const root = context.files.pathOf(named)
  const listed = new Set(
    same.flatMap(({ signed = [] }) => signed).filter((name) => !bundles.includes(join(root, name))),
  )
  return same.filter(({ signed }) => signed === undefined || listed.isSubsetOf(new Set(signed)))
}

/** Verifies several signers, each with their own bundle. A bundle over other files doesn't count toward the threshold. */
const verifyAll = async (
  context: Context,
  call: Call,
  { files, signers, threshold, trustedRoot }: Task,
): Promise<number> => {
  const { verifyBundle, verifyBundles } = await import('@countersign/sdk/integrity')
  const found = await findDigests(context, call, files)
  const now = context.now()
  const { status, signed_by } = verifyBundles({
    bundles: overSameFiles(context, call.args, found).map(inputOf),
    signers,
    threshold,
    trustedRoot,
    now,
  })
  const outcomes = found.map((each) => ({
    bundle: each.file,
    outcome: outcomeOf(verifyBundle({ ...inputOf(each), trustedRoot, signers, now }), each),
  }))
  const exit = exitOf(status)
  context.out.print({
    value: {
      result: results[exit],
      threshold,
      signed_by,
      bundles: outcomes.map(({ bundle, outcome: { exit: _, ...outcome } }) => ({ bundle, ...outcome })),
    },
    ids: outcomes.filter(({ outcome }) => outcome.result !== 'verified').map(({ bundle }) => shownFile(bundle)),
    text: (paint) =>
      [
        `${heads[exit](paint)}: ${signed_by.length} of ${signers.length} signers signed, ${threshold} required.`,
        ...outcomes.map(({ bundle, outcome }) => `\n${shownFile(bundle)}\n${describe(outcome, paint, exit)}`),
      ].join('\n'),
  })
  return exit
}

const outcomeOf = (verdict: BundleVerdict, { digest, files }: Pick<Outcome, 'digest' | 'files'>): Outcome => {
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

const isOfFiles = ({ predicate_type }: BundleVerdict) => predicate_type?.startsWith('https://model_signing/') === true

const onlyDigest = 'Only the digest was compared, not the names of the files. To compare them too, give the folder.'

/** If the whole check failed, no part is headed Verified. */
const describe = ({ verdict, files, exit }: Outcome, paint: Paint, whole: number = exit): string => {
  const verdictText = describeVerdict(verdict.status, verdict, paint, whole === 0 ? undefined : 'Signature valid')
  if (files === null) return exit === 0 && isOfFiles(verdict) ? `${verdictText}\n${onlyDigest}` : verdictText
  if (!hasDifferences(files)) return `${verdictText}\n${describeSame(verdict, files)}`
  return [
    `${paint.red('Different')}: these are not the files that were signed. Get them again from their source, or sign them again.`,
    ...files.changed.map((name) => `  changed  ${shownFile(name)}`),
    ...files.missing.map((name) => `  missing  ${shownFile(name)}`),
    ...files.extra.map((name) => `  extra    ${shownFile(name)}`),
    `\nThe bundle itself, regardless of the files:\n${verdictText}`,
  ].join('\n')
}

/** Ignored files may be anything, so say "all files" only if none were ignored. */
const describeSame = (
  { status }: BundleVerdict,
  { left_out, signed_name }: Pick<SignedFiles, 'left_out' | 'signed_name'>,
): string => {
  const isVerified = status === 'verified'
  if (signed_name !== null)
    return `The file has the signed bytes under another name: ${quoteFile(signed_name)} is the name in the bundle.`
  if (left_out.length === 0) return isVerified ? 'All files are the signed ones.' : 'All files match the bundle.'
  return [
    isVerified
      ? 'The signed files are unchanged. Not signed, and not checked:'
      : 'The files that the bundle lists are unchanged. Not checked:',
    ...left_out.map((name) => `  ignored   ${shownFile(name)}`),
  ].join('\n')
}
