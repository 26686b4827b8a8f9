import { createClient } from '@countersign/sdk'
import type { NewVerification } from '@countersign/sdk/contract'
import { createMtlsFetch, spkiFingerprint } from '@countersign/sdk/node'
import type { ProviderActor } from './actors.ts'
import { createSelfSigned } from './certificates.ts'
import type { World } from './world.ts'

/** A link requested by a server of the provider that proved its key over mutual TLS. */
export const mintOverTls = async (world: World, acme: ProviderActor, input: NewVerification) => {
  const { url, ca } = await world.startTls()
  const credential = await createSelfSigned('gpu-1.acme.example')
  const { deployment_id } = await acme.registerDeployment([input.model_id], spkiFingerprint(credential.cert).hex)
  const fetch = createMtlsFetch({ ...credential, ca })
  const minted = await createClient({ baseURL: url, apiKey: acme.apiKey, fetch }).verifications.create(input)
  await fetch.close()
  return { minted, deployment_id }
}
