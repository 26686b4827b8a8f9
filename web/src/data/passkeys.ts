import type { NewPasskey, PasskeyAnswer } from '@countersign/sdk/contract'
import { issuer } from './registry.ts'

/** What the registry sends, in the JSON of WebAuthn Level 3. */
type Options = Record<string, unknown>

const bytesOf = (text: unknown) =>
  Uint8Array.from(atob(String(text).replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))
const textOf = (bytes: ArrayBuffer) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

// Not `PublicKeyCredential.parseRequestOptionsFromJSON`: Safari has it only since 2025.
const credentialsOf = (list: unknown) =>
  (list as { id: string; type: 'public-key'; transports: AuthenticatorTransport[] }[]).map((each) => ({
    ...each,
    id: bytesOf(each.id),
  }))

/** Browsers bind passkeys to a host name, so they work only at the registry’s public address. */
export const canUsePasskeys =
  'PublicKeyCredential' in window && location.origin === issuer && !/^[\d.]+$|^\[/.test(location.hostname)

/** The person closed the browser’s dialog, or it took too long. */
export const isDeclined = (failure: unknown) =>
  failure instanceof DOMException && ['NotAllowedError', 'AbortError'].includes(failure.name)

/** The authenticator already has a passkey of this account. */
export const isKnownHere = (failure: unknown) => failure instanceof DOMException && failure.name === 'InvalidStateError'

export const createPasskey = async (options: Options): Promise<NewPasskey> => {
  const user = options.user as { id: string; name: string; displayName: string }
  const credential = (await navigator.credentials.create({
    publicKey: {
      ...(options as unknown as PublicKeyCredentialCreationOptions),
      challenge: bytesOf(options.challenge),
      user: { ...user, id: bytesOf(user.id) },
      excludeCredentials: credentialsOf(options.excludeCredentials),
    },
  })) as PublicKeyCredential
  const response = credential.response as AuthenticatorAttestationResponse
  return {
    credential_id: credential.id,
    client_data: textOf(response.clientDataJSON),
    attestation: textOf(response.attestationObject),
    transports: response.getTransports(),
  }
}

export const answerWithPasskey = async (options: Options): Promise<PasskeyAnswer> => {
  const credential = (await navigator.credentials.get({
    publicKey: {
      ...(options as unknown as PublicKeyCredentialRequestOptions),
      challenge: bytesOf(options.challenge),
      allowCredentials: credentialsOf(options.allowCredentials),
    },
  })) as PublicKeyCredential
  const response = credential.response as AuthenticatorAssertionResponse
  return {
    credential_id: credential.id,
    client_data: textOf(response.clientDataJSON),
    authenticator_data: textOf(response.authenticatorData),
    signature: textOf(response.signature),
    user_handle: response.userHandle && textOf(response.userHandle),
  }
}
