import type { Countersign } from '@countersign/sdk'
import type { Deployment } from '@countersign/sdk/contract'
import { quote } from '@countersign/sdk/words'

export const findDeployment = async (client: Countersign, isWanted: (deployment: Deployment) => boolean) => {
  for await (const deployment of client.deployments.list({ limit: 100 })) if (isWanted(deployment)) return deployment
  return undefined
}

export const shownKey = ({ spki_fingerprint }: Deployment) =>
  spki_fingerprint === null ? 'none: only workloads stand for it' : `sha256:${spki_fingerprint}`

export const modelsOf = ({ authorized_models }: Deployment) =>
  authorized_models.map(({ name, version }) => quote(`${name} ${version}`)).join(', ')
