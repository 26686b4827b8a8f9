import { ApiError, type Countersign } from '@countersign/sdk'
import type { Deployment, DeploymentStatus } from '@countersign/sdk/contract'
import { quote, quoteExactly } from '@countersign/sdk/words'
import { addConfirmation, addDryRun, type Declare, example } from '../../args/command.ts'
import { readCount } from '../../args/read-count.ts'
import type { Context } from '../../context.ts'
import { Failure } from '../../failure.ts'
import { collect } from '../../registry/collect.ts'
import { checkDeploymentId, checkModelId, getOwnModel, resolveModel } from '../../registry/own-model.ts'
import { printRequest } from '../../registry/request.ts'
import { byText, ordersOf, sortItems } from '../../registry/sort.ts'
import { facts, table } from '../../render/output.ts'
import { shownPairs } from '../../render/quotation.ts'
import { shownTime } from '../../render/shown-time.ts'
import { findDeployment, modelsOf, shownKey } from './deployment.ts'
import { declareKeygen } from './keygen.ts'
import { registerDeployment } from './register.ts'
import { declareTrust } from './trust.ts'

const exampleId = 'dep_06dh0e3x7c9bw4vjz2n8qk5ytm'
const model = 'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm'

const columns = {
  created: byText<Deployment>(({ created_at }) => created_at),
  status: byText<Deployment>(({ status }) => status),
  proven: byText<Deployment>(({ last_proven_at }) => last_proven_at),
  used: byText<Deployment>(({ last_used_at }) => last_used_at),
}

export const declare: Declare = (deployments) => {
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
        'succeed if it is already registered with the same content; exit 6 if the content differs or it is disabled',
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
    .option('--sort <order>', 'order of the list; - reverses it; default: -created', { choices: ordersOf(columns) })
    .option('--limit <count>', 'show at most this many; default: all', 'number')
    .action(async ({ connect, out }, { flags }) => {
      const most = readCount(flags.text('limit'), 'deployments list', Number.POSITIVE_INFINITY)
      const client = await connect()
      const order = flags.text('sort')
      const { items, next_cursor } = await collect(
        client.deployments.list,
        (page) => page.deployments,
        order === undefined ? most : Number.POSITIVE_INFINITY,
      )
      const found = order === undefined ? items : sortItems(items, order, columns).slice(0, most)
      out.print({
        value: { deployments: found, next_cursor },
        ids: found.map(({ deployment_id }) => deployment_id),
        text: (paint) =>
          found.length === 0
            ? 'No deployments yet'
            : table(['ID', 'STATUS', 'LAST PROVEN', 'LAST USED', 'SPKI SHA-256', 'MODELS'], found.map(rowOf), paint, {
                spare: ['SPKI SHA-256', 'LAST USED', 'MODELS'],
              }),
      })
    })
  example(list, 'deployments list --json', 'deployments list --sort -used')

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

/* ---- output ---- */

const factsOf = (deployment: Deployment) =>
  [
    ['deployment', deployment.deployment_id],
    ['SPKI SHA-256', shownKey(deployment)],
    ['status', statusOf(deployment)],
    ['models', modelsOf(deployment) || 'none'],
    ['revoked', revokedOf(deployment)],
    ['SPIFFE ID', asStated(deployment.spiffe_id && quoteExactly(deployment.spiffe_id))],
    ['cloud identity', asStated(deployment.cloud_identity && quoteExactly(deployment.cloud_identity))],
    ['labels', asStated(shownPairs(deployment.labels))],
    ['created', shownTime(deployment.created_at)],
    [
      'first proven',
      deployment.proven_at === null ? 'never' : `${deployment.proven_by}, ${shownTime(deployment.proven_at)}`,
    ],
    ['last proven', lastProof(deployment) ?? 'not proven'],
    ['last used', deployment.last_used_at === null ? 'never' : shownTime(deployment.last_used_at)],
  ] as const

const asStated = (text: string | null) => text && `${text} (stated by the provider)`

const statusOf = ({ status, disabled_at }: Deployment) =>
  disabled_at === null ? status : `${status} since ${shownTime(disabled_at)}`

/** Models it may no longer mint links for, with the time. */
const revokedOf = ({ revoked_models }: Deployment) =>
  revoked_models
    .map(({ display_name, version, revoked_at }) => `${quote(`${display_name} ${version}`)} (${shownTime(revoked_at)})`)
    .join(', ')

const lastProof = ({ last_proven_at, last_proven_by }: Deployment) =>
  last_proven_at === null ? null : `${last_proven_by}, ${shownTime(last_proven_at)}`

const rowOf = (deployment: Deployment) => [
  deployment.deployment_id,
  deployment.status,
  lastProof(deployment) ?? '-',
  deployment.last_used_at === null ? 'never' : shownTime(deployment.last_used_at),
  shownKey(deployment),
  modelsOf(deployment) || '-',
]
