import type { BundleSigner, NewSigner, NewSignerProof, SignerRecord } from '@countersign/sdk/contract'
import useSWR from 'swr'
import { client } from '../../../../data/client.ts'
import { useCredentials } from '../../../../data/session.ts'

/** The provider's declared signers. */
export const useOwnSigners = () => {
  const { data, error, mutate } = useSWR<SignerRecord[], unknown>(['own-signers'], () =>
    client.signers.list({ limit: 100 }).toArray(),
  )
  return {
    signers: data,
    failure: error,
    again: () => mutate(),
    declare: async (input: NewSigner) => {
      const declared = await client.signers.declare(input)
      await mutate((known) => known && [declared, ...known.filter(({ id }) => id !== declared.id)], {
        revalidate: false,
      })
    },
    challenge: (id: SignerRecord['id']) => client.signers.challenge(id, {}),
    prove: async (id: SignerRecord['id'], proof: NewSignerProof) => {
      const proven = await client.signers.prove(id, proof)
      await mutate((known) => known?.map((signer) => (signer.id === id ? proven : signer)), { revalidate: false })
    },
    withdraw: async (id: SignerRecord['id']) => {
      await client.signers.withdraw(id)
      await mutate((known) => known?.filter((signer) => signer.id !== id), { revalidate: false })
    },
  }
}

export interface SuggestedSigner {
  signer: BundleSigner | null
  api_model_identifier: string
  /** Another provider's model: its signer is irrelevant here. */
  isOthers: boolean
}

/** Finds who signed a model's bundle, to fill in the form. */
export const useSuggestedSigner = (modelId: string | null) => {
  const { providerId } = useCredentials()
  const { data, error } = useSWR<SuggestedSigner, unknown>(
    modelId === null ? null : ['suggested-signer', modelId, providerId],
    async () => {
      const [{ signer }, { api_model_identifier, provider_id }] = await Promise.all([
        client.bundles.status(modelId ?? ''),
        client.models.get(modelId ?? ''),
      ])
      if (provider_id !== providerId) return { signer: null, api_model_identifier: '', isOthers: true }
      return { signer, api_model_identifier, isOthers: false }
    },
    { revalidateOnFocus: false, refreshInterval: 0 },
  )
  return { suggested: data, failure: error, isLoading: modelId !== null && data === undefined && error === undefined }
}
