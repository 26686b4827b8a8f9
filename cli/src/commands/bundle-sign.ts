import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { type BundleSigner, describeSigner, limits } from '@countersign/sdk/contract'
import type { ModelToSign } from '@countersign/sdk/integrity'
import type { Command } from 'commander'
import { type Act, addDryRun, addOptions, type Call, createFlags, example, type Flags } from '../command.ts'
import type { Context } from '../context.ts'
import { Failure, usage } from '../failure.ts'
import { writeWhole } from '../files.ts'
import { addHashOptions, hashPath, signatureFile } from '../hash-path.ts'
import type { Services } from '../keyless.ts'
import { facts } from '../output.ts'
import { formatBytes } from '../progress.ts'

const keyHint = 'Make a key with: openssl ecparam -name prime256v1 -genkey -noout -out key.pem'

export const declareBundleSign = (bundles: Command, act: Act) => {
  const sign = addOptions(
    addHashOptions(
      bundles
        .command('sign')
        .summary('Sign a model: a file or a folder')
        .description(
          'Hashes a model and signs the list of its files (OpenSSF Model Signing): with a key of yours, or in CI without one, by the identity of the workflow. The key stays here; of a keyless signature the workflow’s name and the digests are logged in public.',
        )
        .argument('<path>', 'the model: a file or a folder'),
    ),
    [
      ['--key <file>', 'private ECDSA key, PEM; its passphrase, if any, from COUNTERSIGN_KEY_PASSPHRASE'],
      ['--keyless', 'by the identity of the CI job: GitHub Actions with id-token: write, or SIGSTORE_ID_TOKEN'],
      ['-o, --output <file>', `where the bundle goes; by default ${signatureFile} in the folder, or the file’s name with .sig`],
      ['--fulcio-url <url>', 'with --keyless: authority that issues the certificate'],
      ['--rekor-url <url>', 'with --keyless: log that records the signature'],
      ['--rekor-version <n>', 'with --keyless: 1 (default), or 2, which tells no time and needs --tsa-url beside --rekor-url'],
      ['--tsa-url <url>', 'with --keyless: authority that stamps the time; by default the log’s time counts'],
    ],
  )
  addDryRun(sign).action(act(signPath))
  example(sign, 'bundles sign ./tiny --key key.pem', 'bundles sign ./tiny --keyless')
}

const signPath = async (context: Context, { args: [path = ''], flags }: Call) => {
  const keyFile = flags.text('key')
  const isKeyless = flags.isOn('keyless')
  if ((keyFile !== undefined) === isKeyless) throw usage('Give either --key FILE or --keyless', keyHint)
  // A wrong key is told before the files are read, which may take minutes.
  const key = keyFile === undefined ? undefined : await readKey(context, keyFile)
  const output = outputOf(context, path, flags)
  const services = servicesOf(flags)
  const { model, digest, bytes } = await readModel(context, flags, path, output)
  if (context.isDryRun) return printSigning(context, output, { digest, files: model.files.length, bytes })
  const bundle = key ? await signWithKey(model, key) : await signWithoutKey(services, model)
  writeWhole(output, `${bundle}\n`)
  const { readSigner } = await import('@countersign/sdk/integrity')
  const signer = key ? ofKey(await fingerprintOf(key)) : readSigner(bundle)
  const value = { bundle: output, digest, files: model.files.length, bytes, key_fingerprint: signer?.key_fingerprint ?? null, signer }
  context.out.print({
    value,
    ids: [output],
    text: (paint) =>
      facts(
        [
          ['bundle', output],
          ['digest', digest],
          ['files', `${model.files.length}, ${formatBytes(bytes)}`],
          ['signed by', signer ? describeSigner(signer) : 'the identity of this job'],
        ],
        paint,
      ),
  })
  context.out.say(
    `\nDeclare the signer once: countersign signers add ${keyFile ? `--key ${keyFile}` : signerOptions(signer)}\nRegister: countersign models register ${path} --bundle ${output}`,
  )
}

const printSigning = ({ out }: Context, file: string, signed: { digest: string; files: number; bytes: number }) =>
  out.print({
    value: { dry_run: true, file, ...signed },
    ids: [],
    text: () => `${file}\n${signed.digest}  ${signed.files} files, ${formatBytes(signed.bytes)}`,
  })

const ofKey = (key_fingerprint: string): BundleSigner => ({
  identity: null,
  issuer: null,
  repository: null,
  workflow: null,
  key_fingerprint,
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

const readModel = async (context: Context, flags: Flags, path: string, output: string) => {
  const { gitPaths } = await import('@countersign/sdk/node')
  const hash = await hashPath(context, createFlags(flags.all), path, { exclude: [output] })
  const ignorePaths = hash.kind === 'directory' ? [...new Set([...gitPaths, signatureFile, ...flags.list('ignorePath')])] : []
  const model: ModelToSign = {
    name: basename(resolve(context.files.pathOf(path))),
    files: hash.files,
    ignorePaths,
    allowSymlinks: flags.isOn('allowSymlinks'),
  }
  return { model, bytes: hash.bytes, digest: hash.digest }
}

const readKey = async (context: Context, name: string): Promise<KeyObject> => {
  const pem = Buffer.from(await context.files.read(name)).toString('utf8')
  const isLocked = /ENCRYPTED/.test(pem)
  const given = context.env.COUNTERSIGN_KEY_PASSPHRASE
  if (isLocked && given === undefined && !context.isInteractive)
    throw usage(`${name} is locked with a passphrase`, 'Set COUNTERSIGN_KEY_PASSPHRASE')
  const passphrase = isLocked ? (given ?? (await context.prompts().secret(`Passphrase of ${name}`))) : undefined
  try {
    return createPrivateKey({ key: pem, passphrase })
  } catch (cause) {
    if (isLocked) throw new Failure('usage', 2, `The passphrase does not open ${name}`, null, { cause })
    const isPublic = /PUBLIC KEY/.test(pem)
    throw new Failure(
      'usage',
      2,
      isPublic ? `${name} is a public key; the private one signs` : `${name} holds no private key that can be read`,
      keyHint,
      { cause },
    )
  }
}

const fingerprintOf = async (key: KeyObject) => {
  const { spkiFingerprint } = await import('@countersign/sdk/node')
  return spkiFingerprint(createPublicKey(key).export({ type: 'spki', format: 'der' })).hex
}

const signWithKey = async (model: ModelToSign, key: KeyObject): Promise<string> => {
  const { signModel } = await import('@countersign/sdk/integrity')
  try {
    return signModel(model, key)
  } catch (error) {
    throw error instanceof RangeError ? new Failure('usage', 2, error.message, keyHint, { cause: error }) : error
  }
}

const signWithoutKey = async (services: Services, model: ModelToSign): Promise<string> => {
  const { signKeyless } = await import('../keyless.ts')
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
