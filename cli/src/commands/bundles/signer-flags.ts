import { createPublicKey } from 'node:crypto'
import { DeclaredSigner } from '@countersign/sdk/contract'
import { quoteExactly, quoteIssuer } from '@countersign/sdk/words'
import { addOptions, type Command, createFlags, type Flags } from '../../args/command.ts'
import { nameSigner } from '../../args/option-names.ts'
import type { Context } from '../../context.ts'
import { usage } from '../../failure.ts'

const githubIssuer = 'https://token.actions.githubusercontent.com'

/** Who may have signed, under the option names that cosign and Sigstore's conformance suites use. */
export const addSignerOptions = (command: Command) =>
  addOptions(command, [
    [
      '--certificate-identity <identity>',
      'email address or workflow in the signer’s certificate, exactly; requires --certificate-oidc-issuer',
      'text',
    ],
    [
      '--certificate-oidc-issuer <url>',
      'identity provider that vouched for it; with --repository the default is GitHub Actions',
      'url',
    ],
    ['--repository <url>', 'any workflow of this source repository', 'url'],
    ['--workflow <path>', 'with --repository: only this workflow, for example .github/workflows/release.yml', 'text'],
    ['--key <file>', 'public key, PEM; if this is a private key, its public half is used', 'file'],
  ]).option(
    '--certificate-chain <file>',
    'certificates of authorities, PEM, one of which must have vouched for the signer; repeatable',
    {
      kind: 'file',
      isRepeated: true,
    },
  )

/** The one signer that the options name, if any. */
const readSigner = async (context: Context, flags: Flags): Promise<DeclaredSigner | undefined> => {
  const [identity, repository, key] = ['certificateIdentity', 'repository', 'key'].map((name) => flags.text(name))
  const chain = flags.list('certificateChain')
  const given = [identity, repository, key, chain[0]].filter((value) => value !== undefined)
  const issuer = flags.text('certificateOidcIssuer')
  if (given.length > 1)
    throw usage('--certificate-identity, --repository, --key and --certificate-chain cannot be used together')
  if (flags.text('workflow') !== undefined && repository === undefined) throw usage('--workflow requires --repository')
  if (issuer !== undefined && identity === undefined && repository === undefined)
    throw usage('--certificate-oidc-issuer requires --certificate-identity or --repository')
  if (identity !== undefined && issuer === undefined)
    throw usage(
      '--certificate-identity requires --certificate-oidc-issuer',
      'An identity is only meaningful together with its issuer',
    )
  if (identity !== undefined) return checked({ kind: 'identity', issuer, identity })
  if (repository !== undefined)
    return checked({ kind: 'repository', issuer: issuer ?? githubIssuer, repository, workflow: flags.text('workflow') })
  if (key !== undefined) return checked({ kind: 'key', public_key: publicKeyOf(await textOf(context, key), key) })
  if (chain.length > 0) {
    const pems = await Promise.all(chain.map((file) => textOf(context, file)))
    return checked({ kind: 'certificate', certificate_chain: pems.join('\n') })
  }
  return undefined
}

const signerFields = {
  key: 'key',
  'certificate-chain': 'certificateChain',
  identity: 'certificateIdentity',
  issuer: 'certificateOidcIssuer',
  repository: 'repository',
  workflow: 'workflow',
} as const

/** Parses `repository=URL,workflow=PATH` and the like, as the options of the same names are parsed. */
const readSpelled = async (context: Context, spelled: string): Promise<DeclaredSigner> => {
  const given: Record<string, string | string[]> = {}
  for (const part of spelled.split(/,(?=[a-z-]+=)/)) {
    const [, name = '', value = ''] = /^([a-z-]+)=(.+)$/s.exec(part) ?? []
    const field = Object.entries(signerFields).find(([each]) => each === name)?.[1]
    if (field === undefined) throw usage(`--signer ${JSON.stringify(spelled)} could not be read`, signerHint)
    if (field in given) throw usage(`--signer ${JSON.stringify(spelled)} gives ${name} twice`, signerHint)
    given[field] = field === 'certificateChain' ? [value] : value
  }
  const signer = await readSigner(context, createFlags(given))
  if (signer) return signer
  throw usage(`--signer ${JSON.stringify(spelled)} names no signer`, signerHint)
}

const signerHint = `Write key=FILE, certificate-chain=FILE, repository=URL[,workflow=PATH] or identity=NAME,issuer=URL`

/** The signers given by --signer and by the other options. */
export const requireSigners = async (context: Context, flags: Flags): Promise<DeclaredSigner[]> => {
  const spelled = await Promise.all(flags.list('signer').map((each) => readSpelled(context, each)))
  if (spelled.length === 0) return [await requireSigner(context, flags)]
  const other = await readSigner(context, flags)
  return other ? [...spelled, other] : spelled
}

/** For a command that requires a signer. */
export const requireSigner = async (context: Context, flags: Flags): Promise<DeclaredSigner> => {
  const signer = await readSigner(context, flags)
  if (signer) return signer
  throw usage(
    'Missing: who may sign',
    'Give --key FILE, --certificate-identity with --certificate-oidc-issuer, --repository URL, or --certificate-chain FILE',
  )
}

const textOf = async (context: Context, name: string) => Buffer.from(await context.files.read(name)).toString('utf8')

const publicKeyOf = (pem: string, name: string) => {
  try {
    return createPublicKey(pem).export({ type: 'spki', format: 'pem' }).toString()
  } catch {
    throw usage(
      `${name} does not contain a readable key`,
      'Extract the public key with: openssl pkey -in key.pem -pubout -out key.pub',
    )
  }
}

const checked = (signer: Record<string, unknown>): DeclaredSigner => {
  const { data, error } = DeclaredSigner.safeParse(signer)
  if (data) return data
  const [issue] = error.issues
  const [field] = issue?.path ?? []
  throw usage(`${field === undefined ? 'The signer' : nameSigner(String(field))}: ${issue?.message ?? 'not valid'}`)
}

/** On one line. */
export const describeDeclared = (signer: DeclaredSigner, key_fingerprint: string | null): string => {
  switch (signer.kind) {
    case 'identity':
      return `${quoteExactly(signer.identity)} (${quoteIssuer(signer.issuer)})`
    case 'repository':
      return `${signer.workflow === undefined ? 'every workflow' : quoteExactly(signer.workflow)} of ${quoteExactly(signer.repository)} (${quoteIssuer(signer.issuer)})`
    case 'key':
      return `key ${key_fingerprint ?? ''}`
    case 'certificate':
      return 'certificates of declared authorities'
    default:
      return signer satisfies never
  }
}
