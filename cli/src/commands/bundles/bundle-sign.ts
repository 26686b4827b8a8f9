import { createPublicKey, type KeyObject } from 'node:crypto'
import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type BundleSigner, describeSigner, limits } from '@countersign/sdk/contract'
import type { ModelToSign } from '@countersign/sdk/integrity'
import { addDryRun, addOptions, type Call, type Command, example, type Flags } from '../../args/command.ts'
import type { Context } from '../../context.ts'
import { Failure, usage } from '../../failure.ts'
import { addHashOptions, signatureFile } from '../../files/hash-path.ts'
import { writeWhole } from '../../io/files.ts'
import { formatBytes } from '../../io/progress.ts'
import { facts } from '../../render/output.ts'
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
            'Hashes a model and signs the list of its files (OpenSSF Model Signing): with a key of yours, with a key and its certificate, or in CI without either, by the identity of the workflow. The key stays here; a keyless signature puts the workflow’s name and the digests into a public log.',
          )
          .argument('<path>', 'the model: a file or a folder', 'file'),
      ),
    ),
    [
      ['--key <file>', 'private ECDSA or RSA key, PEM; its passphrase, if any, from COUNTERSIGN_KEY_PASSPHRASE', 'file'],
      ['--certificate <file>', 'with --key: the certificate of the key, PEM, which goes into the bundle', 'file'],
      ['--keyless', 'by the identity of the CI job: GitHub Actions with id-token: write, or SIGSTORE_ID_TOKEN'],
      ['-o, --output <file>', `where the bundle goes; by default ${signatureFile} in the folder, or the file’s name with .sig`, 'file'],
      ['--fulcio-url <url>', 'with --keyless: authority that issues the certificate', 'url'],
      ['--rekor-url <url>', 'with --keyless: log that records the signature', 'url'],
      [
        '--rekor-version <n>',
        'with --keyless: 1 (default), or 2, which has no timestamps and needs --tsa-url beside --rekor-url',
        'number',
      ],
      ['--tsa-url <url>', 'with --keyless: authority that stamps the time; by default the log’s time counts', 'url'],
    ],
  )
  sign.option(
    '--certificate-chain <file>',
    'with --certificate: certificates of its authorities, PEM, below the one that verifiers know; may repeat',
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
  const value = { bundle: output, digest, files: model.files.length, bytes, key_fingerprint: signer?.key_fingerprint ?? null, signer }
  context.out.print({
    value,
    ids: [output],
    text: (paint) =>
      facts(
        [
          ['bundle', output],
          ['digest', digest],
          [listing.shardSize === undefined ? 'files' : 'pieces', `${model.files.length}, ${formatBytes(bytes)}`],
          ['signed by', signer ? describeSigner(signer) : 'the identity of this job'],
        ],
        paint,
      ),
  })
  context.out.say(
    [
      `\nDeclare the signer once: countersign signers add ${own ? own.options : signerOptions(signer)}`,
      // Of other lists the registry knows the root digest alone.
      `Register: countersign models register ${isRegistrable(listing) ? path : `--digest ${digest}`} --bundle ${output}`,
    ].join('\n'),
  )
}

interface OwnSigner {
  sign(model: ModelToSign): string
  signer: BundleSigner
  /** What declares it. */
  options: string
}

/** A key of one's own, perhaps with its certificate. What cannot sign is told before the files are read, which may take minutes. */
const readOwn = async (context: Context, flags: Flags): Promise<OwnSigner | undefined> => {
  const [keyFile, certificateFile] = [flags.text('key'), flags.text('certificate')]
  const chain = flags.list('certificateChain')
  if (certificateFile !== undefined && keyFile === undefined) throw usage('--certificate goes with --key')
  if (chain.length > 0 && certificateFile === undefined) throw usage('--certificate-chain goes with --certificate')
  if (keyFile === undefined) return undefined
  const key = await readSigningKey(context, keyFile)
  const files = certificateFile === undefined ? [] : [certificateFile, ...chain]
  const pems = await Promise.all(files.map(async (file) => Buffer.from(await context.files.read(file)).toString('utf8')))
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
    options: certificates === undefined ? `--key ${keyFile}` : '--certificate-chain AUTHORITY.pem, the certificate that verifiers know',
  }
}

const printSigning = ({ out }: Context, file: string, signed: { digest: string; files: number; bytes: number }) =>
  out.print({
    value: { dry_run: true, file, ...signed },
    ids: [],
    text: () => `${file}\n${signed.digest}  ${signed.files} files, ${formatBytes(signed.bytes)}`,
  })

/** A workflow's name changes with each branch and tag, its repository does not. */
const signerOptions = (signer: BundleSigner | null): string => {
  const isPlain = (text: string | null | undefined): text is string => typeof text === 'string' && /^[\w@:./+-]+$/.test(text)
  const [issuer, identity, repository] = [signer?.issuer, signer?.identity, signer?.repository]
  if (isPlain(repository) && isPlain(issuer)) return `--repository ${repository} --certificate-oidc-issuer ${issuer}`
  if (isPlain(identity) && isPlain(issuer)) return `--certificate-identity ${identity} --certificate-oidc-issuer ${issuer}`
  return '--certificate-identity … --certificate-oidc-issuer …'
}

/** A folder's signature lies in it, a file's beside it. What is there already must be a bundle to be replaced. */
const outputOf = (context: Context, path: string, flags: Flags): string => {
  const model = context.files.pathOf(path)
  const given = flags.text('output')
  const output = given ? context.files.pathOf(given) : statSync(model).isDirectory() ? join(model, signatureFile) : `${model}.sig`
  // Of a model from elsewhere, a link could lead to any file.
  if (given === undefined && lstatSync(output, { throwIfNoEntry: false })?.isSymbolicLink())
    throw usage(`${output} is a link: the bundle would be written to where it leads`, 'Remove it, or name a file with --output')
  if (existsSync(output) && !isBundle(output))
    throw usage(`${output} is there and is no bundle: it would be lost`, 'Name another file with --output')
  if (!existsSync(dirname(output)))
    throw usage(`There is no folder ${dirname(output)} for the bundle`, 'Make it, or name another file with --output')
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
  const [fulcioUrl, rekorUrl, tsaUrl, version = '1'] = ['fulcioUrl', 'rekorUrl', 'tsaUrl', 'rekorVersion'].map((name) => flags.text(name))
  if (version !== '1' && version !== '2') throw usage(`--rekor-version must be 1 or 2, not ${JSON.stringify(version)}`)
  if (version === '2' && rekorUrl !== undefined && tsaUrl === undefined)
    throw usage(
      '--rekor-version 2 with --rekor-url needs --tsa-url',
      'Logs of version 2 tell no time, and without one the bundle is not valid',
    )
  return { fulcioUrl, rekorUrl, tsaUrl, rekorVersion: version === '1' ? 1 : 2 }
}
