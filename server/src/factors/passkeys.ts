import { type NewPasskey, type PasskeyAnswer, Refusal } from '@countersign/sdk/contract'

const userVerification = 'required'
/** Ed25519, P-256 and RSA: what authenticators make. */
const algorithms = [-8, -7, -257]

const rejected = (cause: unknown) =>
  new Refusal('passkey_rejected', 'The passkey’s answer was not accepted. Try again.', {}, { cause })

/** Loaded with the first passkey: a registry without passkeys does not need it. */
const load = () => import('@simplewebauthn/server')

interface Stored {
  credential_id: string
  public_key: string
  counter: number
}

interface Known {
  credential_id: string | null
  transports: string | null
}

const listOf = (known: readonly Known[]) =>
  known
    .filter(({ credential_id }) => credential_id !== null)
    .map(({ credential_id, transports }) => ({
      type: 'public-key',
      id: credential_id,
      transports: JSON.parse(transports ?? '[]'),
    }))

/** WebAuthn for the host of the public URL. */
export const createPasskeys = ({ publicUrl }: { publicUrl: string }) => {
  const { origin, hostname } = new URL(publicUrl)
  const expected = { expectedOrigin: origin, expectedRPID: hostname, requireUserVerification: true }

  return {
    creationOptions: (challenge: string, person: { id: string; email: string }, existing: readonly Known[]) => ({
      challenge,
      rp: { id: hostname, name: 'Countersign' },
      user: { id: Buffer.from(person.id).toString('base64url'), name: person.email, displayName: person.email },
      pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
      timeout: 300_000,
      attestation: 'none',
      excludeCredentials: listOf(existing),
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification },
    }),

    requestOptions: (challenge: string, allowed: readonly Known[] = []) => ({
      challenge,
      rpId: hostname,
      timeout: 300_000,
      userVerification,
      allowCredentials: listOf(allowed),
    }),

    async checkNew(passkey: NewPasskey, challenge: string): Promise<Stored> {
      const { verifyRegistrationResponse } = await load()
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        response: {
          id: passkey.credential_id,
          rawId: passkey.credential_id,
          type: 'public-key',
          clientExtensionResults: {},
          response: { clientDataJSON: passkey.client_data, attestationObject: passkey.attestation },
        },
        expectedChallenge: challenge,
        supportedAlgorithmIDs: algorithms,
        ...expected,
      }).catch((error: unknown) => {
        throw rejected(error)
      })
      if (!verified) throw rejected(undefined)
      const { id, publicKey, counter } = registrationInfo.credential
      return { credential_id: id, public_key: Buffer.from(publicKey).toString('base64url'), counter }
    },

    /** The new counter. A counter that does not grow rejects the answer: the passkey may have been copied. */
    async checkAnswer(answer: PasskeyAnswer, challenge: string, stored: Stored): Promise<number> {
      const { verifyAuthenticationResponse } = await load()
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: {
          id: answer.credential_id,
          rawId: answer.credential_id,
          type: 'public-key',
          clientExtensionResults: {},
          response: {
            clientDataJSON: answer.client_data,
            authenticatorData: answer.authenticator_data,
            signature: answer.signature,
          },
        },
        expectedChallenge: challenge,
        credential: {
          id: stored.credential_id,
          publicKey: new Uint8Array(Buffer.from(stored.public_key, 'base64url')),
          counter: stored.counter,
        },
        ...expected,
      }).catch((error: unknown) => {
        throw rejected(error)
      })
      if (!verified) throw rejected(undefined)
      return authenticationInfo.newCounter
    },
  }
}

export type Passkeys = ReturnType<typeof createPasskeys>
