import { createPublicKey, type KeyObject } from 'node:crypto'
import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type BundleSigner, describeSigner, limits } from '@countersign/sdk/contract'
import type { ModelToSign } from '@countersign/sdk/integrity'
import { quoteExactly } from '@countersign/sdk/words'
import { addDryRun, addOptions, type Call, type Command, example, type Flags } from '../../args/command.ts'
import type { Context } from '../../context.ts'
import { Failure, usage } from '../../failure.ts'
import { addHashOptions, signatureFile } from '../../files/hash-path.ts'
import { writeWhole } from '../../io/files.ts'
import { formatBytes } from '../../io/progress.ts'
import { facts } from '../../render/output.ts'
import { shellWord } from '../../render/shell-word.ts'
import type { Services } from './keyless.ts'
import { addListOptions, findModel, isRegistrable, listingOf } from './model-to-sign.ts'
import { keyHint, readSigningKey } from './signing-key.ts'

export const declareBundleSign = (bundles: Command) => {
  const sign = addOptions(
    addListOptions(
      addHashOptions(
        bundles
          .command('sign')
          .summary('Sign a model: a file or a folder')
          .description(
            'Hashes a model and signs the list of its files (OpenSSF Model Signing): with your key, with your key and its certificate, or keyless in CI with the identity of the workflow. Your key stays on this machine. A keyless signature records the workflow’s name and the digests in a public log.',
          )
          .argument('<path>', 'the model: a file or a folder', 'file'),
      ),
    ),
    [
      ['--key <file>', 'ECDSA or RSA private key, PEM; a passphrase is read from COUNTERSIGN_KEY_PASSPHRASE', 'file'],
      ['--certificate <file>', 'with --key: the key’s certificate, PEM; it is included in the bundle', 'file'],
      ['--keyless', 'sign with the identity of the CI job: GitHub Actions with id-token: write, or SIGSTORE_ID_TOKEN'],
      [
        '-o, --output <file>',
        `where to write the bundle; default: ${signatureFile} in the folder, or the file name plus .sig`,
        'file',
      ],
      ['--fulcio-url <url>', 'with --keyless: authority that issues the certificate', 'url'],
      ['--rekor-url <url>', 'with --keyless: log that records the signature', 'url'],
      [
        '--rekor-version <n>',
        'with --keyless: 1 (default) or 2; version 2 has no timestamps and needs --tsa-url with --rekor-url',
        'number',
      ],
      ['--tsa-url <url>', 'with --keyless: authority that timestamps the signature; default: the log’s time', 'url'],
    ],
  )
  sign.option(
    '--certificate-chain <file>',
    'with --certificate: intermediate certificates, PEM, excluding the root that verifiers trust; repeatable',
    { kind: 'file', isRepeated: true },
  )
  addDryRun(sign).action(signPath)
  example(
    sign,
    'bundles sign ./tiny --key key.pem',
    'bundles sign ./tiny --key key.pem --certificate acme.pem --certificate-chain issuing.pem',
    'bundles sign ./tiny --keyless',
  )
}

const signPath = async (context: Context, { args: [path = ''], flags }: Call) => {
  const isKeyless = flags.isOn('keyless')
  if ((flags.text('key') !== undefined) === isKeyless) throw usage('Give either --key FILE or --keyless', keyHint)
  const listing = listingOf(flags)
  const services = servicesOf(flags)
  const own = await readOwn(context, flags)
  const output = outputOf(context, path, flags)
  const { model, digest, bytes } = await findModel(context, flags, path, output)
  if (context.isDryRun) return printSigning(context, output, { digest, files: model.files.length, bytes })
  const bundle = own ? own.sign(model) : await signWithoutKey(services, model)
  writeWhole(output, `${bundle}\n`)
  const { readSigner } = await import('@countersign/sdk/integrity')
  const signer = own ? own.signer : readSigner(bundle)
  const value = {
    bundle: output,
    digest,
    files: model.files.length,
    bytes,
    key_fingerprint: signer?.key_fingerprint ?? null,
    signer,
  }
  context.out.print({
    value,
    ids: [output],
    text: (paint) =>
      facts(
        [
          ['bundle', output, 'copied'],
          ['digest', digest],
          [listing.shardSize === undefined ? 'files' : 'pieces', `${model.files.length}, ${formatBytes(bytes)}`],
          ['signed by', signer ? describeSigner(signer, quoteExactly) : 'the identity of this job'],
        ],
        paint,
      ),
  })
  context.out.say(
    [
      `\nDeclare the signer once: countersign signers add ${own ? own.options : signerOptions(signer)}`,
      // For other kinds of lists the registry only knows the root digest.
      `Register: countersign models register ${isRegistrable(listing) ? shellWord(path) : `--digest ${digest}`} --bundle ${shellWord(output)}`,
    ].join('\n'),
  )
}

interface OwnSigner {
  sign(model: ModelToSign): string
  signer: BundleSigner
  /** The options that declare this signer. */
  options: string
}

/** Your own key, with its certificate if given. Checks that it can sign before reading the files, which may take minutes. */
const readOwn = async (context: Context, flags: Flags): Promise<OwnSigner | undefined> => {
  const [keyFile, certificateFile] = [flags.text('key'), flags.text('certificate')]
  const chain = flags.list('certificateChain')
  if (certificateFile !== undefined && keyFile === undefined) throw usage('--certificate requires --key')
  if (chain.length > 0 && certificateFile === undefined) throw usage('--certificate-chain requires --certificate')
  if (keyFile === undefined) return undefined
  const key = await readSigningKey(context, keyFile)
  const files = certificateFile === undefined ? [] : [certificateFile, ...chain]
  const pems = await Promise.all(
    files.map(async (file) => Buffer.from(await context.files.read(file)).toString('utf8')),
  )
  const { readCertificateName, signModel } = await import('@countersign/sdk/integrity')
  const certificates = pems.length > 0 ? pems.join('\n') : undefined
  const sign = (model: ModelToSign) => {
    try {
      return signModel(model, key, { certificates })
    } catch (error) {
      throw error instanceof RangeError ? new Failure('usage', 2, error.message, keyHint, { cause: error }) : error
    }
  }
  sign({ name: 'trial', files: [{ name: 'trial', digest: '0'.repeat(64) }] })
  const identity = certificates === undefined ? null : readCertificateName(certificates)
  const key_fingerprint = await fingerprintOf(key)
  return {
    sign,
    signer: { identity, issuer: null, repository: null, workflow: null, key_fingerprint },
    options:
      certificates === undefined
        ? `--key ${shellWord(keyFile)}`
        : '--certificate-chain AUTHORITY.pem (the certificate that verifiers trust)',
  }
}

const printSigning = ({ out }: Context, file: string, signed: { digest: string; files: number; bytes: number }) =>
  out.print({
    value: { dry_run: true, file, ...signed },
    ids: [],
    text: () => `${file}\n${signed.digest}  ${signed.files} files, ${formatBytes(signed.bytes)}`,
  })

/** A workflow's name changes with each branch and tag; its repository does not. */
const signerOptions = (signer: BundleSigner | null): string => {
  const isPlain = (text: string | null | undefined): text is string =>
    typeof text === 'string' && /^[\w@:./+-]+$/.test(text)
  const [issuer, identity, repository] = [signer?.issuer, signer?.identity, signer?.repository]
  if (isPlain(repository) && isPlain(issuer)) return `--repository ${repository} --certificate-oidc-issuer ${issuer}`
  if (isPlain(identity) && isPlain(issuer))
    return `--certificate-identity ${identity} --certificate-oidc-issuer ${issuer}`
  return '--certificate-identity … --certificate-oidc-issuer …'
}

/** A folder's signature goes inside it, a file's next to it. An existing file is only replaced if it is a bundle. */
const outputOf = (context: Context, path: string, flags: Flags): string => {
  const model = context.files.pathOf(path)
  const given = flags.text('output')
  const output = given
    ? context.files.pathOf(given)
    : statSync(model).isDirectory()
      ? join(model, signatureFile)
      : `${model}.sig`
  // A downloaded model could contain a link to any file.
  if (given === undefined && lstatSync(output, { throwIfNoEntry: false })?.isSymbolicLink())
    throw usage(
      `${output} is a symbolic link; the bundle would overwrite the file it points to`,
      'Remove it, or name a file with --output',
    )
  if (existsSync(output) && !isBundle(output))
    throw usage(`${output} exists and is not a bundle; it would be overwritten`, 'Name another file with --output')
  if (!existsSync(dirname(output)))
    throw usage(
      `The folder ${dirname(output)} for the bundle does not exist`,
      'Create it, or name another file with --output',
    )
  return output
}

const isBundle = (file: string): boolean => {
  try {
    return statSync(file).size <= limits.bundleBytes && 'mediaType' in JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return false
  }
}

const fingerprintOf = async (key: KeyObject) => {
  const { spkiFingerprint } = await import('@countersign/sdk/node')
  return spkiFingerprint(createPublicKey(key).export({ type: 'spki', format: 'der' })).hex
}

const signWithoutKey = async (services: Services, model: ModelToSign): Promise<string> => {
  const { signKeyless } = await import('./keyless.ts')
  return signKeyless(model, services)
}

const servicesOf = (flags: Flags): Services => {
  const [fulcioUrl, rekorUrl, tsaUrl, version = '1'] = ['fulcioUrl', 'rekorUrl', 'tsaUrl', 'rekorVersion'].map((name) =>
    flags.text(name),
  )
  if (version !== '1' && version !== '2') throw usage(`--rekor-version must be 1 or 2, not ${JSON.stringify(version)}`)
  if (version === '2' && rekorUrl !== undefined && tsaUrl === undefined)
    throw usage(
      '--rekor-version 2 with --rekor-url needs --tsa-url',
      'Version 2 logs give no time, and without one the bundle is not valid',
    )
  return { fulcioUrl, rekorUrl, tsaUrl, rekorVersion: version === '1' ? 1 : 2 }
}
