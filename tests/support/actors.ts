import { createHash, randomBytes } from 'node:crypto'
import type { Countersign } from '@countersign/sdk'
import type { DnsServers } from './dns-server.ts'

interface Deps {
  clientFor: (apiKey?: string) => Countersign
  dns: Pick<DnsServers, 'setTxt'>
}

export interface ProviderOptions {
  /** Prove the domain by DNS. Default: yes. */
  isVerified?: boolean
  isListed?: boolean
  website?: string
}

/** The fingerprint of a random key. */
export const randomFingerprint = () => randomBytes(32).toString('hex')

export const digestOf = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`

/** The actors of the tests: providers who registered through the API. */
export const createActors = ({ clientFor, dns }: Deps) => {
  const provider = async (
    name: string,
    { isVerified = true, isListed = true, website = `https://${name}.example` }: ProviderOptions = {},
  ) => {
    const { provider_id, api_key, key_id, domain_proof } = await clientFor().providers.register({
      company_name: `${name[0]?.toUpperCase()}${name.slice(1)} Labs`,
      email: `${name}@${new URL(website).hostname}`,
      website,
      is_listed: isListed,
    })
    const client = clientFor(api_key)
    const publishProof = () => dns.setTxt(domain_proof.record_name, [domain_proof.record_value])
    if (isVerified) {
      publishProof()
      await client.providers.verifyDomain({})
    }

    type ModelInput = Parameters<Countersign['models']['register']>[0]
    const registerModel = async (input: Partial<ModelInput> = {}) => {
      const identifier = input.api_model_identifier ?? `atlas-${randomBytes(4).toString('hex')}`
      const registered = await client.models.register({
        display_name: 'Atlas Chat',
        api_model_identifier: identifier,
        version: '1.0.0',
        description: 'A model that answers questions about maps.',
        endpoint: `https://api.${name}.example/v1`,
        model_digest: digestOf(identifier),
        ...input,
      })
      return registered.model_id
    }

    /** A deployment, authorized for the given models. */
    const registerDeployment = async (modelIds: readonly string[] = [], spki_fingerprint = randomFingerprint()) => {
      const { deployment_id } = await client.deployments.register({ spki_fingerprint })
      for (const id of modelIds) await client.models.allowDeployment(id, { deployment_id })
      return { deployment_id, spki_fingerprint }
    }

    return {
      id: provider_id,
      apiKey: api_key,
      keyId: key_id,
      client,
      domain: domain_proof.domain,
      proof: domain_proof,
      publishProof,
      registerModel,
      registerDeployment,
    }
  }

  return { provider }
}

export type ProviderActor = Awaited<ReturnType<ReturnType<typeof createActors>['provider']>>
