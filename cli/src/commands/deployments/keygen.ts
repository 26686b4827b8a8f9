import { generateKeyPairSync } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Call, type Declare, example } from '../../args/command.ts'
import type { Context } from '../../context.ts'
import { Failure, usage } from '../../failure.ts'
import { facts } from '../../render/output.ts'
import { shellWord } from '../../render/shell-word.ts'
import { certificateRequest, type KeyKind } from './certificate-request.ts'
import { readFingerprint } from './fingerprint.ts'

const makers = {
  p256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  p384: () => generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  ed25519: () => generateKeyPairSync('ed25519'),
} satisfies Record<KeyKind, unknown>

const isKind = (kind: string): kind is KeyKind => Object.hasOwn(makers, kind)

export const declareKeygen: Declare = (deployments) => {
  const keygen = deployments
    .command('keygen')
    .summary('Make a key for a deployment, and a certificate request')
    .description(
      'Writes NAME.key, a private key that only you can read, and NAME.csr, a certificate request for the same key. Nothing is sent. Register the deployment with the request; sign mint requests with the key, or get a certificate for mutual TLS.',
    )
    .argument('<name>', 'path of the files, without an extension', 'file')
    .option('--type <kind>', 'p256, p384 or ed25519; default: p256', 'text')
    .action(makeKey)
  example(keygen, 'deployments keygen chat', 'deployments keygen chat --type ed25519')
}

const makeKey = async (context: Context, { args: [name = ''], flags }: Call) => {
  const kind = flags.text('type') ?? 'p256'
  if (!isKind(kind)) throw usage(`--type must be p256, p384 or ed25519, not ${JSON.stringify(kind)}`)
  const [key_file, request_file] = [`${name}.key`, `${name}.csr`]
  const folder = dirname(key_file)
  if (!existsSync(context.files.pathOf(folder)))
    throw new Failure('file', 2, `There is no folder ${folder}`, 'Create it first, or choose another path')
  for (const file of [key_file, request_file])
    if (existsSync(context.files.pathOf(file)))
      throw new Failure('file_exists', 2, `${file} already exists`, 'Choose another name; keys are never overwritten')
  const { privateKey } = makers[kind]()
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const request = certificateRequest(privateKey, kind, name.replace(/^.*[/\\]/, '').slice(0, 64))
  writeFileSync(context.files.pathOf(key_file), pem, { mode: 0o600, flag: 'wx' })
  writeFileSync(context.files.pathOf(request_file), request, { flag: 'wx' })
  const { hex, keyType } = await readFingerprint(Buffer.from(request), 'The new key')
  context.out.print({
    value: { key_file, request_file, spki_sha256: hex, key: keyType },
    ids: [hex],
    text: (paint) =>
      facts(
        [
          ['private key', `${key_file} (keep it on the server)`, 'copied'],
          ['certificate request', request_file, 'copied'],
          ['SPKI SHA-256', `sha256:${hex}`],
          ['next', `countersign deployments register --cert ${shellWord(request_file)} --model MODEL`, 'copied'],
        ],
        paint,
      ),
  })
}
