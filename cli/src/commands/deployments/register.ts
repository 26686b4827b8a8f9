import { ApiError, type Countersign } from '@countersign/sdk'
import type { Deployment, NewDeployment } from '@countersign/sdk/contract'
import type { Call } from '../../args/command.ts'
import type { Context } from '../../context.ts'
import { Failure, usage } from '../../failure.ts'
import { getOwnModel, isModelId } from '../../registry/own-model.ts'
import { printRequest } from '../../registry/request.ts'
import { facts } from '../../render/output.ts'
import { shellWord } from '../../render/shell-word.ts'
import { findDeployment, modelsOf, shownKey } from './deployment.ts'
import { readFingerprint } from './fingerprint.ts'

export const registerDeployment = async (context: Context, { flags }: Call) => {
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
  if (cert !== undefined) {
    const { hex, keyType } = await readFingerprint(await context.files.read(cert), cert)
    const [, bits] = /^RSA\S* (\d+)$/.exec(keyType) ?? []
    if (bits !== undefined && Number(bits) < 2_048)
      throw new Failure(
        'not_a_key',
        2,
        `--cert: the RSA key of ${cert} has ${bits} bits; it needs at least 2048 to prove a deployment`,
        'Make another key with: countersign deployments keygen',
      )
    return hex
  }
  if (/^sha256:[0-9a-f]{64}$/i.test(spki ?? '')) return (spki ?? '').slice(7).toLowerCase()
  if (/^([0-9a-f]{2}:?){32}$/i.test(spki ?? '')) {
    throw usage(
      '64 hex digits alone could be the fingerprint of a certificate, which changes with every renewal',
      'Use --cert FILE, or run `countersign fingerprint FILE` and pass its SPKI value with sha256: in front',
    )
  }
  throw usage('--spki must be sha256: and 64 hex digits')
}

const readLabels = (pairs: readonly string[]): Record<string, string> | undefined => {
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
    if (!mayExist)
      throw new Failure(
        'deployment_exists',
        6,
        `${existing.deployment_id} already has this key`,
        'Add --if-not-exists to accept the same content',
        { cause: error },
      )
    if (!isSameContent(existing, body))
      throw new Failure(
        'deployment_exists',
        6,
        `${existing.deployment_id} has this fingerprint but different content`,
        'Compare with: countersign deployments list --json',
        { cause: error },
      )
    refuseDisabled(error, existing)
    return { deployment: existing, created: false }
  }
}

/** Exit code 0 would tell a job that its links are valid. The review of a leaked key disables deployments as well. */
const refuseDisabled = (conflict: ApiError, { deployment_id, status }: Deployment) => {
  if (status !== 'disabled') return
  throw new Failure(
    'deployment_disabled',
    6,
    `${deployment_id} has this key, but is disabled: its links are not valid`,
    `Enable it with: countersign deployments enable ${shellWord(deployment_id)}`,
    { cause: conflict },
  )
}

const isSameContent = (
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
