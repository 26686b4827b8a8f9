import { createHmac, createSecretKey, hash, hkdfSync, type KeyObject, sign, timingSafeEqual } from 'node:crypto'
import { formatLinkCode } from '@countersign/sdk/verify'
import { createLinkCode } from '@countersign/sdk/verify/link-codes'
import { createNewId } from '../../../server/src/ids.ts'
import { readApiKey } from '../../../server/src/keys/rules.ts'
import { openPrivateKey } from '../../../server/src/signing/rules.ts'
import type { Store } from './store.ts'

interface Deps {
  store: Store
  publicUrl: string
  encryptionKey: Buffer
}

interface Input {
  model_id: string
  user_fingerprint: string
  challenge: string
  origin: string
  prompt: string
  metadata: unknown
}

const lifetimeSeconds = 900
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const hmac = (key: KeyObject, text: string) => createHmac('sha256', key).update(text).digest()
const secretOf = (encryptionKey: Buffer, purpose: string) =>
  createSecretKey(Buffer.from(hkdfSync('sha256', encryptionKey, '', `countersign ${purpose}`, 32)))

/** The code of a link, from its ID and issue time. */
export const createCodeOf = (encryptionKey: Buffer) => {
  const secret = secretOf(encryptionKey, 'link codes')
  return (id: string, issued_at: number) => createLinkCode(issued_at, hmac(secret, id))
}

export const sha256 = (text: string, encoding: 'hex' | 'base64url') => hash('sha256', text, encoding)

export const codeKeyOf = (code: string) => code.slice(0, 2) + sha256(code, 'base64url').slice(0, 30)

/** Mints a link. Supports only requests in the benchmarks' form. */
export const createMint = ({ store, publicUrl, encryptionKey }: Deps) => {
  const newId = createNewId(Date.now)
  const codeOf = createCodeOf(encryptionKey)
  const userSecret = secretOf(encryptionKey, 'user fingerprints')
  const userSecrets = new Map<string, KeyObject>()
  const signers = new Map<string, { key: KeyObject; header: string }>()

  const userSecretOf = (provider_id: string) => {
    const secret = userSecrets.get(provider_id) ?? createSecretKey(hmac(userSecret, provider_id))
    userSecrets.set(provider_id, secret)
    return secret
  }

  const signerOf = (kid: string) => {
    const known = signers.get(kid)
    if (known) return known
    const key = openPrivateKey(store.findSigningKey(kid), encryptionKey, kid)
    if (!key) throw new Error('The signing key is in a PKCS#11 token.')
    const signer = {
      key,
      header: encode({ alg: 'EdDSA', typ: 'vt+jwt', kid }),
    }
    signers.set(kid, signer)
    return signer
  }

  return (credential: string, fingerprint: string, input: Input, answer: (status: number, body: unknown) => void) => {
    const key = store.findKey(readApiKey(credential)?.lookup ?? '')
    if (!key || !timingSafeEqual(Buffer.from(key.hash), Buffer.from(sha256(credential, 'hex')))) return answer(401, {})
    const { provider_id } = key
    const facts = store.findMint(fingerprint, provider_id, input.model_id)
    if (!facts || facts.archived_at !== null) return answer(404, {})
    if (facts.deployment_status !== 'enabled' || facts.authorized_at === null) return answer(403, {})

    const iat = Math.floor(Date.now() / 1_000)
    const exp = iat + lifetimeSeconds
    const id = newId('vrf')
    const provider_domain = facts.domain_verified_at === null ? undefined : facts.domain
    const user_fp = hmac(userSecretOf(provider_id), input.user_fingerprint).toString('base64url')
    const { challenge, origin } = input
    const { key: privateKey, header } = signerOf(facts.kid)
    const signed = `${header}.${encode({
      iss: publicUrl,
      jti: id,
      iat,
      exp,
      model_id: input.model_id,
      provider_id,
      provider_domain,
      model_identifier: facts.api_model_identifier,
      version: facts.version,
      model_digest: facts.model_digest ?? undefined,
      deployment_id: facts.deployment_id,
      deployment_binding: 'proxy',
      spki_fingerprint: fingerprint,
      user_fp,
      challenge,
      origin,
      bound_to_response: false,
    })}`
    const token = `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`
    const code = codeOf(id, iat * 1_000)
    const row = [
      ...[
        id,
        provider_id,
        input.model_id,
        facts.deployment_id,
        'proxy',
        facts.kid,
        codeKeyOf(code),
        sha256(token, 'base64url'),
        iat * 1_000,
        exp * 1_000,
      ],
      ...[
        store.freeze(provider_id, facts),
        key.id,
        user_fp,
        challenge,
        origin,
        provider_domain ?? null,
        sha256(input.prompt, 'hex'),
        JSON.stringify(input.metadata),
        null,
      ],
    ]
    store.insert(row, () =>
      answer(201, {
        verification_id: id,
        verification_url: `${publicUrl}/v/${formatLinkCode(code)}`,
        token,
        bound_token: null,
        response_hash: null,
        expires_in: lifetimeSeconds,
        expires_at: new Date(exp * 1_000).toISOString(),
        deployment_id: facts.deployment_id,
        deployment_binding: 'proxy',
        model_digest: facts.model_digest,
        bundle_status: facts.bundle_status,
        warnings: facts.superseded_at === null ? [] : ['This version is superseded: the link will say so.'],
      }),
    )
  }
}
