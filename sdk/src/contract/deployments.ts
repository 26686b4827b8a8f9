import { z } from 'zod'
import { type Endpoints, endpoint } from './endpoint.ts'
import {
  DeploymentId,
  ModelId,
  optionalName,
  ProviderId,
  paging,
  SpiffeId,
  SpkiFingerprint,
  Time,
  textOrNull,
} from './fields.ts'
import { limits } from './limits.ts'
import { routes } from './routes.ts'

/** The statuses of a deployment. */
export const deploymentStatuses = ['enabled', 'disabled'] as const
/** Whether a deployment may mint links. */
export const DeploymentStatus = z.enum(deploymentStatuses)
export type DeploymentStatus = z.infer<typeof DeploymentStatus>

/**
 * How a deployment identified itself when a link was minted: `mtls` by a TLS handshake with the registry, `proxy` by a handshake
 * with a trusted proxy (RFC 9440), `signed` by a signature of the request (RFC 9421), `workload` by such
 * a signature with a key that its platform vouched for, `self-asserted` by a header that anyone can send, which proves nothing.
 */
export const bindings = ['mtls', 'proxy', 'signed', 'workload', 'self-asserted'] as const
/** How a deployment identified itself. */
export const Binding = z.enum(bindings)
export type Binding = z.infer<typeof Binding>
/** The ways to prove a deployment. A self-asserted one is not proven. */
export type DeploymentProof = Exclude<Binding, 'self-asserted'>

const Labels = z
  .record(
    z
      .string()
      .regex(
        /^[\w./-]{1,63}$/,
        'A label’s name may only contain letters, digits, dots, hyphens, underscores and slashes',
      ),
    optionalName(255),
  )
  .refine((labels) => Object.keys(labels).length <= limits.labels, `At most ${limits.labels} labels`)

/** A registration of a server’s public key. */
export const NewDeployment = z.strictObject({
  spki_fingerprint: SpkiFingerprint,
  spiffe_id: SpiffeId.optional(),
  cloud_identity: optionalName(500).optional(),
  labels: Labels.optional(),
})
export type NewDeployment = z.output<typeof NewDeployment>

/** A server, known by its public key. */
export const Deployment = z.strictObject({
  deployment_id: DeploymentId,
  provider_id: ProviderId,
  /** Null if only workloads stand for it. */
  spki_fingerprint: textOrNull,
  spiffe_id: textOrNull,
  cloud_identity: textOrNull,
  labels: z.record(z.string(), z.string()),
  status: DeploymentStatus,
  /** Null while it is enabled, or if it was disabled before the registry stored the time. */
  disabled_at: Time.nullable(),
  created_at: Time,
  /** When possession of the private key was first proven, and how. */
  proven_at: Time.nullable(),
  proven_by: Binding.nullable(),
  /** When it was last proven, and how. Updated at most once a minute. */
  last_proven_at: Time.nullable(),
  last_proven_by: Binding.nullable(),
  /** When a link was last minted for it, proven or self-asserted. Updated at most once a minute. */
  last_used_at: Time.nullable(),
  authorized_models: z.array(
    z.strictObject({ id: ModelId, name: z.string(), display_name: z.string(), version: z.string() }),
  ),
  /** The last 20 models that it may no longer mint links for. */
  revoked_models: z.array(
    z.strictObject({ id: ModelId, name: z.string(), display_name: z.string(), version: z.string(), revoked_at: Time }),
  ),
})
export type Deployment = z.infer<typeof Deployment>

const params = z.strictObject({ id: DeploymentId })

/** Endpoints of deployments. */
export const deployments = {
  register: endpoint(routes.deployments.register, {
    summary: 'Register a deployment by the SPKI fingerprint of its key',
    caller: 'provider',
    scope: 'deployments',
    body: NewDeployment,
    response: Deployment,
    status: 201,
    errors: ['deployment_exists'],
  }),
  list: endpoint(routes.deployments.list, {
    summary: 'The caller’s deployments',
    caller: 'provider',
    query: z.strictObject(paging),
    response: z.strictObject({ deployments: z.array(Deployment), next_cursor: textOrNull }),
  }),
  setStatus: endpoint(routes.deployments.setStatus, {
    summary: 'Enable or disable a deployment; its links change at once',
    caller: 'provider',
    scope: 'deployments',
    params,
    body: z.strictObject({ status: DeploymentStatus }),
    response: Deployment,
  }),
  delete: endpoint(routes.deployments.delete, {
    summary: 'Delete a deployment and all its authorizations',
    caller: 'provider',
    scope: 'deployments',
    params,
    response: z.strictObject({ message: z.string(), deployment_id: DeploymentId }),
  }),
} satisfies Endpoints<typeof routes.deployments>
