import { createSecretKey, hkdfSync, sign } from 'node:crypto'
import { type Claims, type Jwks, jwksMaxAgeSeconds, Refusal } from '@countersign/sdk/contract'
import { tokenTypes } from '@countersign/sdk/verify'
import type { Database } from '../db/engine.ts'
import { retriedAfterClash } from '../db/retry.ts'
import type { SigningKeyState, Tx } from '../db/schema.ts'
import type { EventRecorder } from '../events/service.ts'
import type { KeyModule } from './pkcs11/process.ts'
import { createSigningKey, jwkOf, openPrivateKey, retiredKeyLifetimeMs, seal, sealModuleKey, unseal } from './rules.ts'
import {
  confirmKey,
  findKeyInState,
  findSealedRoot,
  findSigningKey,
  insertSigningKey,
  listSigningKeys,
  moveKey,
  putSealedRoot,
  replacePrivateKey,
  type SigningKeyRow,
} from './store.ts'

interface Deps {
  database: Database
  events: EventRecorder
  encryptionKey: Buffer
  /** Where new keys are made. Without it, they are stored in the database. */
  keyModule?: KeyModule | undefined
  now: () => number
}

type TokenType = keyof typeof tokenTypes

interface Signer {
  isInModule: boolean
  sign: (input: string) => Buffer | Promise<Buffer>
  /** Encoded protected headers, ready for signing. */
  headers: Record<TokenType, string>
}

const rootLabel = 'root secret'

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

export const createSigningService = ({ database, events, encryptionKey, keyModule, now }: Deps) => {
  const signers = new Map<string, Signer>()
  /** Link codes and fingerprints depend on it, so it stays the same when the key encryption key is replaced. */
  let rootSecret = encryptionKey

  /** Never another key: the header of a token names the key, and verifiers check with that one. */
  const signInModule = async ({ kid, public_x }: SigningKeyRow, input: string) => {
    try {
      if (!keyModule) throw new Error('The signing key is in a PKCS#11 token, but PKCS11_MODULE is not set.')
      return await keyModule.sign({ kid, public_x }, input)
    } catch (cause) {
      throw new Refusal('unavailable', 'Nothing can be signed at the moment. Try again in a moment.', {}, { cause })
    }
  }

  const openSigner = (row: SigningKeyRow): Signer => {
    const { kid } = row
    const headerOf = (typ: string) => encode({ alg: 'EdDSA', typ, kid })
    const key = openPrivateKey(row.private_encrypted, encryptionKey, kid)
    const signer: Signer = {
      isInModule: key === undefined,
      sign: (input) => (key ? sign(null, Buffer.from(input), key) : signInModule(row, input)),
      headers: { plain: headerOf(tokenTypes.plain), bound: headerOf(tokenTypes.bound) },
    }
    signers.set(kid, signer)
    return signer
  }

  const signerOf = async (kid: string): Promise<Signer> => {
    const known = signers.get(kid)
    if (known) return known
    const row = await findSigningKey(database.read, kid)
    if (!row) throw new Refusal('unavailable', 'The signing key was not found.')
    return openSigner(row)
  }

  const record = (tx: Tx, kid: string, state: SigningKeyState) =>
    events.record(tx, {
      provider_id: 'registry',
      actor: 'registry',
      action: `signing_key.${state}`,
      subject: ['signing_key', kid],
    })

  const move = async (tx: Tx, kid: string, change: Parameters<typeof moveKey>[2] & { state: SigningKeyState }) => {
    await moveKey(tx, kid, change)
    await record(tx, kid, change.state)
  }

  const createKey = async () => {
    if (!keyModule) return createSigningKey(encryptionKey)
    const { kid, public_x } = await keyModule.create()
    return { kid, public_x, private_encrypted: sealModuleKey(encryptionKey, kid) }
  }

  const insertUnlessFilled = (state: 'active' | 'next', key: ReturnType<typeof createSigningKey>) =>
    retriedAfterClash(() =>
      database.transaction(async (tx) => {
        if (await findKeyInState(tx, state)) return false
        const activated_at = state === 'active' ? now() : null
        await insertSigningKey(tx, { ...key, state, created_at: now(), activated_at })
        await record(tx, key.kid, state)
        return true
      }),
    )

  /** A token may need seconds to make a key, so it is made before the transaction. */
  const fill = async () => {
    for (const state of ['active', 'next'] as const) {
      if (await findKeyInState(database.read, state)) continue
      const key = await createKey()
      const isFilled = await insertUnlessFilled(state, key)
      if (!isFilled) await keyModule?.remove(key)
    }
  }

  /** Without the next key, only a rotation is impossible. */
  const fillAtStart = async () => {
    try {
      await fill()
    } catch (error) {
      if (!(await findKeyInState(database.read, 'active'))) throw error
    }
  }

  return {
    /** Creates the first keys and checks that the key encryption key opens the stored ones. */
    async prepare() {
      await fillAtStart()
      const active = await findKeyInState(database.read, 'active')
      if (!active) throw new Error('There is no active signing key.')
      try {
        openSigner(active)
      } catch (cause) {
        throw new Error(
          'KEY_ENCRYPTION_KEY does not open the signing keys in this database. Use the key they were encrypted with.',
          {
            cause,
          },
        )
      }
      const sealed = await findSealedRoot(database.read)
      if (sealed !== undefined) rootSecret = unseal(sealed, encryptionKey, rootLabel)
    },

    /** Called before the registry serves, so that the log reports a module that fails. Links can be checked without it. */
    async checkModule() {
      const active = await findKeyInState(database.read, 'active')
      const signer = active && (await signerOf(active.kid))
      if (signer?.isInModule && !keyModule)
        throw new Refusal('unavailable', 'The active signing key is in a PKCS#11 token. Set PKCS11_MODULE.')
      if (keyModule) await Promise.resolve(signer?.sign('start')).catch(() => {})
    },

    /** Encrypts everything with a new key encryption key, in one transaction. */
    async reencrypt(newKey: Buffer) {
      await database.transaction(async (tx) => {
        const keys = await listSigningKeys(tx)
        for (const { kid, private_encrypted } of keys)
          await replacePrivateKey(tx, kid, seal(unseal(private_encrypted, encryptionKey, kid), newKey, kid))
        await putSealedRoot(tx, seal(rootSecret, newKey, rootLabel))
      })
    },

    /** Keys that a verifier may trust now; a compromised one is removed at once. */
    async jwks(): Promise<Jwks> {
      const keys = await listSigningKeys(database.read)
      const isTrusted = ({ state, retired_at }: SigningKeyRow) =>
        state === 'active' ||
        state === 'next' ||
        (state === 'retired' && (retired_at ?? 0) + retiredKeyLifetimeMs > now())
      return { keys: keys.filter(isTrusted).map(jwkOf) }
    },

    /** Signs claims as a compact JWS (RFC 7515 §7.1) with the key of that ID. */
    async sign(kid: string, type: TokenType, claims: Claims): Promise<string> {
      const { sign, headers } = await signerOf(kid)
      const input = `${headers[type]}.${encode(claims)}`
      return `${input}.${(await sign(input)).toString('base64url')}`
    },

    /** Signs a verdict with the active key. Its type keeps it apart from the tokens of links. */
    async signVerdict(verdict: object): Promise<string> {
      const active = await findKeyInState(database.read, 'active')
      if (!active) throw new Refusal('unavailable', 'There is no active signing key.')
      const { sign } = await signerOf(active.kid)
      const input = `${encode({ alg: 'EdDSA', typ: 'verdict+jwt', kid: active.kid })}.${encode(verdict)}`
      return `${input}.${(await sign(input)).toString('base64url')}`
    },

    /** A secret of this registry for one purpose, derived from the key encryption key. */
    deriveSecret: (purpose: string) =>
      createSecretKey(Buffer.from(hkdfSync('sha256', rootSecret, '', `countersign ${purpose}`, 32))),

    /** next → active → retired, and a new next. Rejected while some verifiers may not have the next key yet. */
    async rotate({ force = false } = {}) {
      await database.transaction(async (tx) => {
        const next = await findKeyInState(tx, 'next')
        const active = await findKeyInState(tx, 'active')
        if (!next) throw new Refusal('unavailable', 'There is no next key. Start the registry once.')
        if (!force && next.created_at + jwksMaxAgeSeconds * 1_000 > now()) {
          throw new Refusal(
            'unavailable',
            `The next key was published less than ${jwksMaxAgeSeconds} seconds ago; verifiers may not have it yet. Wait, or use --force.`,
          )
        }
        if (active) await move(tx, active.kid, { state: 'retired', retired_at: now() })
        await move(tx, next.kid, { state: 'active', activated_at: now() })
      })
      await fill()
      return listSigningKeys(database.read)
    },

    /** Every token of the key is rejected from its next check. If the key is active, the next one takes its place. */
    async compromise(kid: string) {
      await database.transaction(async (tx) => {
        const key = await findSigningKey(tx, kid)
        if (!key) throw new Refusal('not_found', `There is no signing key ${kid}.`)
        await move(tx, kid, { state: 'compromised', compromised_at: now() })
        const next = await findKeyInState(tx, 'next')
        if (key.state === 'active' && next) await move(tx, next.kid, { state: 'active', activated_at: now() })
      })
      await fill()
      return listSigningKeys(database.read)
    },

    /** After a restore: tokens of the key are valid again until they expire. It no longer signs. */
    async confirm(kid: string) {
      await database.transaction(async (tx) => {
        if (!(await confirmKey(tx, kid, now())))
          throw new Refusal('not_found', `There is no suspended signing key ${kid}.`)
        await record(tx, kid, 'retired')
      })
      return listSigningKeys(database.read)
    },

    list: () => listSigningKeys(database.read),

    close: () => keyModule?.close(),
  }
}

export type SigningService = ReturnType<typeof createSigningService>
