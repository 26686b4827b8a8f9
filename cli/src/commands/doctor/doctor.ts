import type { Countersign } from '@countersign/sdk'
import { type Call, type Declare, example } from '../../args/command.ts'
import type { Context } from '../../context.ts'
import { usage } from '../../failure.ts'
import { wrap } from '../../io/wrap.ts'
import { isModelId } from '../../registry/own-model.ts'
import { signWith } from '../../registry/sign-with.ts'
import { type Paint, printable } from '../../render/output.ts'
import { checkNames } from '../../shapes/findings.ts'
import { lookAtDeployment, lookAtTlsAddress, type Papers, readPapers, readSigningKey } from './deployment.ts'
import { exitOfFindings, type Finding, type Look, skipped, verdictOf } from './finding.ts'
import { lookAtHubToken } from './hub.ts'
import { compareVersions, lookAtConfig } from './local.ts'
import { isProxied } from './proxy.ts'
import { type Reach, reach, throughProxy } from './reach.ts'
import { askForKeys, askReady, askVersion, createAsk, lookAtAccount } from './registry.ts'
import { mintAndVerify } from './token.ts'

export const declare: Declare = (doctor) => {
  doctor
    .description(
      'Checks everything between this machine and the registry, step by step, and prints the command that fixes each problem. Exits 0 if nothing fails, otherwise with the code of the first failure.',
    )
    .verdicts(3, 4, 5, 8, 9)
    .option(
      '--cert <file>',
      'a deployment’s client certificate: check that it is valid, registered and enabled',
      'file',
    )
    .option('--key <file>', 'its private key; never leaves this machine', 'file')
    .option('--sign-key <file>', 'instead of --cert: the private key with which it signs requests', 'file')
    .option('--tls-url <url>', 'the registry’s mutual-TLS address: check that it receives the certificate', 'url')
    .option('--ca <file>', 'certificate authority of the registry, PEM', 'file')
    .option('--model <model>', 'also mint a link for this model and check its token', 'text')
    .action(examine)
  example(
    doctor,
    'doctor',
    'doctor --cert client.pem --key client.key --tls-url https://registry.example:4143 --model tiny',
  )
}

const examine = async (context: Context, { flags }: Call) => {
  const [cert, key, model] = [flags.text('cert'), flags.text('key'), flags.text('model')]
  const signKey = flags.text('signKey')
  if (signKey !== undefined && cert !== undefined) throw usage('Use either --sign-key, or --cert and --key')
  if (key !== undefined && cert === undefined) throw usage('--key requires --cert')
  if (model !== undefined) isModelId(model)
  const findings = orderOf(await diagnose(context, { cert, key, signKey, model }))
  const exit_code = exitOfFindings(findings)
  context.out.print({
    value: { result: verdictOf(findings), exit_code, findings: findings.map(({ exit: _, ...finding }) => finding) },
    ids: findings.filter(({ status }) => status === 'fail').map(({ check }) => check),
    text: (paint, columns) => findings.map((finding) => describe(finding, paint, columns)).join('\n'),
  })
  return exit_code
}

type Looks = Partial<Record<Finding['check'], Look>>

const orderOf = (looks: Looks): Finding[] =>
  checkNames.flatMap((check) => {
    const look = looks[check]
    return look === undefined ? [] : [{ check, ...look }]
  })

interface Given {
  cert: string | undefined
  key: string | undefined
  signKey: string | undefined
  model: string | undefined
}

const diagnose = async (context: Context, { cert, key, signKey, model }: Given): Promise<Looks> => {
  const config = lookAtConfig(context)
  if (config.status === 'fail') return { versions: compareVersions(null), config }
  const url = context.setting('api_url') ?? ''
  const way = await lookAtWay(context, url)
  const ask = await createAsk(context, url)
  const isReachable = [way.dns, way.tcp, way.tls].every(({ status }) => status !== 'fail')
  const unreached = skipped('Not checked: the registry cannot be reached')
  const published = isReachable ? await askForKeys(context, ask, url) : undefined
  const isAnswering = published?.http.status === 'ok'
  const account = await lookAtAccount(context, isAnswering)
  const papers = signKey === undefined ? await readPapers(context, cert, key) : await readSigningKey(context, signKey)
  const deployment = await lookAtDeployment(context, account.client, papers.print, cert ?? signKey ?? '', model)
  const door =
    papers.certificate.status === 'fail' || papers.private_key.status === 'fail'
      ? { look: skipped('Not checked: the certificate or its key is not usable') }
      : await lookAtTlsAddress(context, cert, key)
  const minted = await mintAndVerify(context, {
    client: account.client,
    jwks: published?.jwks,
    model,
    proving: await provingClient(context, papers, door.fetch, signKey),
  })
  await door.fetch?.close()
  return {
    versions: compareVersions(isAnswering ? await askVersion(ask, url) : null),
    config,
    ...way,
    http: published?.http ?? unreached,
    ready: isAnswering ? await askReady(ask, url) : unreached,
    clock: published?.clock ?? unreached,
    keys: published?.keys ?? unreached,
    credentials: account.credentials,
    provider: account.provider,
    certificate: papers.certificate,
    private_key: papers.private_key,
    deployment,
    tls_address: minted.seen ?? door.look,
    token: minted.token,
    hub_token: await lookAtHubToken(context),
  }
}

/** Connects as the deployment would. */
const provingClient = async (
  context: Context,
  { private_key }: Papers,
  fetch: typeof globalThis.fetch | undefined,
  signKey: string | undefined,
): Promise<Countersign | undefined> => {
  const tlsUrl = context.setting('tls_url')
  if (fetch && tlsUrl) return context.connect({ tlsUrl, fetch, key: 'optional' })
  return signKey === undefined || private_key.status === 'fail'
    ? undefined
    : context.connect({ sign: await signWith(context, signKey), key: 'optional' })
}

const lookAtWay = async (context: Context, url: string): Promise<Reach> => {
  if (isProxied(context.env, url)) return throughProxy
  const caFile = context.setting('ca_file')
  return reach(context, { url, caFile: caFile && context.files.pathOf(caFile), setting: 'api_url' })
}

const marks = { ok: 'green', warn: 'yellow', fail: 'red', skipped: 'dim' } as const

const describe = ({ check, status, detail, fix }: Finding, paint: Paint, columns: number | undefined) => {
  const mark = paint[marks[status]](status.padEnd(7))
  const line = wrap(`${mark}  ${check.replace('_', ' ').padEnd(11)}  ${printable(detail)}`, columns, 22)
  return fix === null ? line : `${line}\n${' '.repeat(22)}${paint.cyan(printable(fix))}`
}
