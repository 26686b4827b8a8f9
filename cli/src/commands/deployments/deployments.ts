import { ApiError, type Countersign } from '@countersign/sdk'
import type { Deployment, DeploymentStatus, NewDeployment } from '@countersign/sdk/contract'
import { addConfirmation, addDryRun, type Call, type Declare, example } from '../../args/command.ts'
import { readCount } from '../../args/read-count.ts'
import type { Context } from '../../context.ts'
import { Failure, usage } from '../../failure.ts'
import { collect } from '../../registry/collect.ts'
import { checkDeploymentId, checkModelId, getOwnModel, isModelId, resolveModel } from '../../registry/own-model.ts'
import { printRequest } from '../../registry/request.ts'
import { facts, table } from '../../render/output.ts'
import { shownTime } from '../../render/shown-time.ts'
import { readFingerprint } from './fingerprint.ts'
import { declareKeygen } from './keygen.ts'
import { declareTrust } from './trust.ts'

const exampleId = 'dep_06dh0e3x7c9bw4vjz2n8qk5ytm'
const model = 'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm'

export const declareDeployments: Declare = (deployments) => {
  example(deployments, 'deployments register --cert client.pem', 'deployments list')
  declareKeygen(deployments)
  declareTrust(deployments)

  const register = addDryRun(
    deployments
      .command('register')
      .summary('Register a deployment by its public key')
      .description(
        'Registers a deployment by the SPKI fingerprint of its public key, read from a certificate, a signing request, or a public or private key.',
      )
      .option('--cert <file>', 'certificate or key, PEM or DER; only the fingerprint is sent', 'file')
      .option(
        '--spki <fingerprint>',
        'instead of --cert: sha256: and the 64 hex digits of the SPKI fingerprint',
        'digest',
      )
      .option('--spiffe-id <id>', 'such as spiffe://acme.example/chat', 'text')
      .option('--cloud-identity <text>', 'identity of the workload at its cloud provider', 'text')
      .option('--label <key=value>', 'repeatable', { kind: 'text', isRepeated: true })
      .option('--model <model>', 'also authorize it for this model (ID or identifier); repeatable', {
        kind: 'model',
        isRepeated: true,
      })
      .option(
        '--if-not-exists',
        'succeed if it is already registered with the same content; exit 6 if the content differs',
      ),
  ).action(registerDeployment)
  example(
    register,
    'deployments register --cert client.pem --label region=eu',
    `deployments register --spki sha256:9f2c… --model ${model}`,
  )

  const list = deployments
    .command('list')
    .summary('List your deployments')
    .description('Lists your deployments.')
    .option('--limit <count>', 'show at most this many; default: all', 'number')
    .action(async ({ connect, out }, { flags }) => {
      const most = readCount(flags.text('limit'), 'deployments list', Number.POSITIVE_INFINITY)
      const client = await connect()
      const { items: found, next_cursor } = await collect(
        client.deployments.list,
        ({ deployments: items }) => items,
        most,
      )
      out.print({
        value: { deployments: found, next_cursor },
        ids: found.map(({ deployment_id }) => deployment_id),
        text: (paint) =>
          found.length === 0
            ? 'No deployments yet'
            : table(['ID', 'STATUS', 'LAST PROVEN', 'LAST USED', 'SPKI SHA-256', 'MODELS'], found.map(rowOf), paint),
      })
    })
  example(list, 'deployments list --json')

  const show = deployments
    .command('show')
    .summary('Show one deployment')
    .description('Shows one of your deployments: its identities, its models, and its latest proof.')
    .argument('<id>', 'dep_…', 'deployment')
    .action(async (context, { args: [named = ''] }) => {
      const id = checkDeploymentId(named)
      const found = await findDeployment(await context.connect(), ({ deployment_id }) => deployment_id === id)
      if (found === undefined) throw noDeployment(id)
      context.out.print({ value: found, ids: [id], text: (paint) => facts(factsOf(found), paint) })
    })
  example(show, `deployments show ${exampleId}`)

  const authorize = addDryRun(
    deployments
      .command('authorize')
      .summary('Allow a deployment to mint links for a model')
      .description('Allows a deployment to mint verification links for a model.')
      .argument('<id>', 'dep_…', 'deployment')
      .option('--model <model>', 'mdl_…, or your identifier for its latest version', {
        kind: 'model',
        isRequired: true,
      }),
  ).action(async (context, { args: [named = ''], flags }) => {
    const deployment_id = checkDeploymentId(named)
    const model = flags.text('model') ?? ''
    if (context.isDryRun)
      return printRequest(context, 'models', 'allowDeployment', { id: checkModelId(model) }, { deployment_id })
    const client = await context.connect()
    const modelId = await resolveModel(context, client, model)
    const answer = await namingMissing(context, client, modelId, deployment_id, () =>
      client.models.allowDeployment(modelId, { deployment_id }),
    )
    context.out.print({ value: answer, ids: [deployment_id], text: () => answer.message })
  })
  example(authorize, `deployments authorize ${exampleId} --model ${model}`)

  const revoke = addConfirmation(
    deployments
      .command('revoke')
      .summary('Stop a deployment from minting links for a model')
      .description(
        'Revokes a deployment’s authorization for a model. Links that it minted for the model stop working at once.',
      )
      .argument('<id>', 'dep_…', 'deployment')
      .option('--model <model>', 'mdl_…, or your identifier for its latest version', {
        kind: 'model',
        isRequired: true,
      }),
  ).action(async (context, { args: [named = ''], flags }) => {
    const deployment_id = checkDeploymentId(named)
    const model = flags.text('model') ?? ''
    if (context.isDryRun)
      return printRequest(context, 'models', 'revokeDeployment', { id: checkModelId(model), deployment_id }, null)
    const client = await context.connect()
    const modelId = await resolveModel(context, client, model)
    await context.confirm(`Revoke ${deployment_id}’s authorization for ${modelId}? Its links stop working at once.`)
    const answer = await namingMissing(context, client, modelId, deployment_id, () =>
      client.models.revokeDeployment(modelId, deployment_id),
    )
    context.out.print({ value: answer, ids: [deployment_id], text: () => answer.message })
  })
  example(revoke, `deployments revoke ${exampleId} --model ${model} --yes`)

  example(
    statusCommand(deployments, 'enable', 'enabled', 'Enable a disabled deployment'),
    `deployments enable ${exampleId}`,
  )
  example(
    statusCommand(deployments, 'disable', 'disabled', 'Disable a deployment; its links stop working'),
    `deployments disable ${exampleId} --yes`,
  )

  const remove = addConfirmation(
    deployments
      .command('delete')
      .summary('Delete a deployment and its authorizations')
      .description('Deletes a deployment and all its authorizations. Its links stop working at once.')
      .argument('<id>', 'dep_…', 'deployment'),
  ).action(async (context, { args: [named = ''] }) => {
    const deploymentId = checkDeploymentId(named)
    if (context.isDryRun) return printRequest(context, 'deployments', 'delete', { id: deploymentId }, null)
    await context.confirm(`Delete ${deploymentId}? Its links stop working at once.`)
    const answer = await namingDeployment(deploymentId, (await context.connect()).deployments.delete(deploymentId))
    context.out.print({ value: answer, ids: [deploymentId], text: () => answer.message })
  })
  example(remove, `deployments delete ${exampleId} --yes`)
}

const statusCommand = (deployments: Parameters<Declare>[0], name: string, status: DeploymentStatus, summary: string) =>
  (status === 'disabled' ? addConfirmation : addDryRun)(
    deployments.command(name).summary(summary).description(`${summary}.`).argument('<id>', 'dep_…', 'deployment'),
  ).action(async (context, { args: [named = ''] }) => {
    const deploymentId = checkDeploymentId(named)
    if (context.isDryRun) return printRequest(context, 'deployments', 'setStatus', { id: deploymentId }, { status })
    if (status === 'disabled') await context.confirm(`Disable ${deploymentId}? Its links stop working at once.`)
    const answer = await namingDeployment(
      deploymentId,
      (await context.connect()).deployments.setStatus(deploymentId, { status }),
    )
    context.out.print({
      value: answer,
      ids: [answer.deployment_id],
      text: () => `${answer.deployment_id} is ${answer.status}`,
    })
  })

/** The registry only says that something was not found; this says what. */
const namingMissing = async <T>(
  context: Context,
  client: Countersign,
  model: string,
  deployment: Deployment['deployment_id'],
  call: () => Promise<T>,
): Promise<T> => {
  try {
    return await call()
  } catch (error) {
    if (!isNotFound(error)) throw error
    await getOwnModel(context, client, model)
    const found = await findDeployment(client, ({ deployment_id }) => deployment_id === deployment)
    throw found === undefined ? noDeployment(deployment, error) : error
  }
}

const namingDeployment = async <T>(deployment: string, call: Promise<T>): Promise<T> => {
  try {
    return await call
  } catch (error) {
    throw isNotFound(error) ? noDeployment(deployment, error) : error
  }
}

const isNotFound = (error: unknown) => error instanceof ApiError && error.code === 'not_found'

const noDeployment = (named: string, cause?: unknown) =>
  new Failure('not_found', 5, `You have no deployment ${named}`, 'See: countersign deployments list', { cause })

/* ---- register ---- */

const registerDeployment = async (context: Context, { flags }: Call) => {
  const body = {
    spki_fingerprint: await fingerprintOf(context, flags.text('cert'), flags.text('spki')),
    spiffe_id: flags.text('spiffeId'),
    cloud_identity: flags.text('cloudIdentity'),
    labels: readLabels(flags.list('label')),
  }
  for (const each of flags.list('model')) isModelId(each)
  if (context.isDryRun) return printRequest(context, 'deployments', 'register', {}, body)
  const client = await context.connect()
  // Resolve models before writing: a wrong model would leave a deployment behind.
  const models: string[] = []
  for (const each of flags.list('model')) models.push(await getUsableModel(context, client, each))
  const { deployment, created } = await registerOnce(client, body, flags.isOn('ifNotExists'))
  for (const each of models) await authorizeOnce(client, each, deployment)
  const answer =
    models.length === 0
      ? deployment
      : ((await findDeployment(client, ({ deployment_id }) => deployment_id === deployment.deployment_id)) ??
        deployment)
  context.out.print({
    value: flags.isOn('ifNotExists') ? { ...answer, created } : answer,
    ids: [answer.deployment_id],
    text: (paint) =>
      facts(
        [
          ['deployment', answer.deployment_id],
          ['SPKI SHA-256', shownKey(answer)],
          ['status', answer.status],
          ['models', modelsOf(answer)],
          ['created', created ? null : 'no, already registered'],
        ],
        paint,
      ),
  })
}

const getUsableModel = async (context: Context, client: Countersign, named: string) => {
  const { id, archived_at } = await getOwnModel(context, client, named)
  if (archived_at === null) return id
  throw new Failure(
    'model_archived',
    6,
    `${named} is archived; no deployment can be authorized for it`,
    'See: countersign models list',
  )
}

const fingerprintOf = async (context: Context, cert: string | undefined, spki: string | undefined) => {
  if ((cert === undefined) === (spki === undefined)) throw usage('Give either --cert FILE or --spki sha256:HEX')
  if (cert !== undefined) return (await readFingerprint(context, await context.files.read(cert))).hex
  if (/^sha256:[0-9a-f]{64}$/i.test(spki ?? '')) return (spki ?? '').slice(7).toLowerCase()
  if (/^([0-9a-f]{2}:?){32}$/i.test(spki ?? '')) {
    throw usage(
      '64 hex digits alone could be the fingerprint of a certificate, which changes with every renewal',
      'Use --cert FILE, or run `countersign fingerprint FILE` and pass its SPKI value with sha256: in front',
    )
  }
  throw usage('--spki must be sha256: and 64 hex digits')
}

export const readLabels = (pairs: readonly string[]): Record<string, string> | undefined => {
  if (pairs.length === 0) return undefined
  const entries = pairs.map((pair): [string, string] => {
    const at = pair.indexOf('=')
    if (at < 1) throw usage(`--label must be KEY=VALUE, not ${JSON.stringify(pair)}`)
    return [pair.slice(0, at), pair.slice(at + 1)]
  })
  const names = entries.map(([name]) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw usage(`--label ${twice} is given twice`)
  return Object.fromEntries(entries)
}

const registerOnce = async (client: Countersign, body: NewDeployment, mayExist: boolean) => {
  try {
    return { deployment: await client.deployments.register(body), created: true }
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'deployment_exists') throw error
    const existing = await findDeployment(client, ({ spki_fingerprint }) => spki_fingerprint === body.spki_fingerprint)
    if (existing === undefined) {
      throw new Failure(
        'deployment_exists',
        6,
        'This key is already registered by another provider',
        'Create a key for this deployment only, and register that',
        { cause: error },
      )
    }
    if (!mayExist) throw error
    if (isSameContent(existing, body)) return { deployment: existing, created: false }
    throw new Failure(
      'deployment_exists',
      6,
      `${existing.deployment_id} has this fingerprint but different content`,
      'Compare with: countersign deployments list --json',
      { cause: error },
    )
  }
}

export const isSameContent = (
  existing: Pick<Deployment, 'spiffe_id' | 'cloud_identity' | 'labels'>,
  { spiffe_id, cloud_identity, labels = {} }: Omit<NewDeployment, 'spki_fingerprint'>,
) =>
  existing.spiffe_id === (spiffe_id ?? null) &&
  existing.cloud_identity === (cloud_identity ?? null) &&
  sorted(existing.labels) === sorted(labels)

const sorted = (labels: Record<string, string>) =>
  JSON.stringify(Object.entries(labels).sort(([left], [right]) => (left < right ? -1 : 1)))

const authorizeOnce = async (client: Countersign, modelId: string, { deployment_id }: Deployment) => {
  try {
    await client.models.allowDeployment(modelId, { deployment_id })
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'already_authorized') throw error
  }
}

const findDeployment = async (client: Countersign, isWanted: (deployment: Deployment) => boolean) => {
  for await (const deployment of client.deployments.list({ limit: 100 })) if (isWanted(deployment)) return deployment
  return undefined
}

const factsOf = (deployment: Deployment) =>
  [
    ['deployment', deployment.deployment_id],
    ['SPKI SHA-256', shownKey(deployment)],
    ['status', deployment.status],
    ['models', modelsOf(deployment) || 'none'],
    ['SPIFFE ID', deployment.spiffe_id],
    ['cloud identity', deployment.cloud_identity],
    ['labels', labelsOf(deployment) || null],
    ['created', shownTime(deployment.created_at)],
    [
      'first proven',
      deployment.proven_at === null ? 'never' : `${deployment.proven_by}, ${shownTime(deployment.proven_at)}`,
    ],
    ['last proven', lastProof(deployment)],
    ['last used', deployment.last_used_at === null ? 'never' : shownTime(deployment.last_used_at)],
  ] as const

const lastProof = ({ last_proven_at, last_proven_by }: Deployment) =>
  last_proven_at === null ? null : `${last_proven_by}, ${shownTime(last_proven_at)}`

const rowOf = (deployment: Deployment) => [
  deployment.deployment_id,
  deployment.status,
  lastProof(deployment) ?? 'never',
  deployment.last_used_at === null ? 'never' : shownTime(deployment.last_used_at),
  shownKey(deployment),
  modelsOf(deployment) || '-',
]

const shownKey = ({ spki_fingerprint }: Deployment) =>
  spki_fingerprint === null ? 'none: only workloads stand for it' : `sha256:${spki_fingerprint}`

const modelsOf = ({ authorized_models }: Deployment) =>
  authorized_models.map(({ name, version }) => `${name} ${version}`).join(', ')

const labelsOf = ({ labels }: Deployment) =>
  Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ')
