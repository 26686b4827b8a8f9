import type { KeyObject } from 'node:crypto'
import type { Countersign } from '@countersign/sdk'
import type { NewSigner, NewSignerProof, SignerRecord } from '@countersign/sdk/contract'
import { signSignerProof } from '@countersign/sdk/integrity'
import type { Keys } from './sigstore/keys.ts'
import { issuer, repository } from './sigstore/private-sigstore.ts'
import type { World } from './world.ts'

/** Declares a key, and proves that the provider owns it. */
export const declareOwnKey = async (
  client: Countersign,
  keys: Keys,
  of: Pick<NewSigner, 'api_model_identifier'> = {},
): Promise<SignerRecord> => {
  const public_key = keys.publicKey.export({ type: 'spki', format: 'pem' }).toString().trim()
  const { id } = await client.signers.declare({ signer: { kind: 'key', public_key }, ...of })
  return proveSigner(client, id, keys)
}

export const proveSigner = async (
  client: Countersign,
  id: string,
  { privateKey }: Pick<Keys, 'privateKey'>,
  by: Pick<NewSignerProof, 'certificate_chain'> = {},
): Promise<SignerRecord> => {
  const { message } = await client.signers.challenge(id, {})
  return client.signers.prove(id, { signature: signChallenge(message, privateKey), ...by })
}

/** Signs a challenge with another program, as its holder may. */
export const signChallenge = (message: string, key: KeyObject) => signSignerProof(message, key, challengedBy(message))

const challengedBy = (message: string) => {
  const lineOf = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(message)?.[1] ?? ''
  return { registry: lineOf('registry'), provider: lineOf('provider'), signer: lineOf('signer') }
}

/** As if a job of the repository had published; by default the one in the private Sigstore's certificates. */
export const proveRepository = async (
  { database, clock }: World,
  provider_id: string,
  of = { issuer, repository },
): Promise<void> => {
  const id = `pub_${'0'.repeat(26)}`
  await database.transaction((tx) =>
    tx
      .insertInto('trusted_publishers')
      .values({
        provider_id,
        id,
        kind: 'github',
        issuer: of.issuer,
        repository: new URL(of.repository).pathname.slice(1),
        repository_id: '1',
        repository_owner_id: '1',
        workflow: 'release.yml',
        environment: null,
        subject: null,
        identity: id,
        created_at: clock.now(),
        last_used_at: clock.now(),
        last_refused_at: null,
        last_refused_claim: null,
        issuer_refused_at: null,
      })
      .execute(),
  )
}
