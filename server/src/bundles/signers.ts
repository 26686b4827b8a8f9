import {
  type DeclaredSigner,
  invalidField,
  type NewSigner,
  type NewSignerProof,
  notFound,
  Refusal,
  type SignerChallenge,
  type SignerRecord,
} from '@countersign/sdk/contract'
import type { Database } from '../db/engine.ts'
import { lockProvider } from '../db/lock.ts'
import type { PageQuery } from '../db/paging.ts'
import type { Tx } from '../db/schema.ts'
import { findTies, settleTies } from '../db/signer-ties.ts'
import type { EventRecorder } from '../events/service.ts'
import type { Caller } from '../http/callers.ts'
import type { NewId } from '../ids.ts'
import { newSecret } from '../secrets.ts'
import type { Checker } from './checker.ts'
import { challengeMs, challengeText, declarationRefusal, isSameSigner, maxProvenKeys } from './rules.ts'
import {
  deleteSigner,
  findAllSigners,
  findSigner,
  insertSigner,
  listSigners,
  markProven,
  provenKeysOf,
  type SignerRow,
  setChallenge,
  setProof,
  signerOf,
} from './signer-store.ts'
import { askForChecksOf } from './store.ts'

interface Deps {
  database: Database
  events: EventRecorder
  checker: Pick<Checker, 'prove'>
  publicUrl: string
  now: () => number
  newId: NewId
}

const maxSigners = 200
/** For all models, and for each: a bundle need not say which key signed it, and trying one takes milliseconds. */
const maxKeys = 25
/** For all together: they are part of every check and of the public answer about a bundle. */
const maxSignersLength = 256_000

/** Declares, proves and withdraws the signers of a provider's models. */
export const createSigners = ({ database, events, checker, publicUrl, now, newId }: Deps) => {
  /** Decide the verdicts that it was part of again. */
  const takeSigner = async (tx: Tx, { provider_id, actor }: Caller, id: string): Promise<SignerRow | undefined> => {
    const row = await deleteSigner(tx, { provider_id, id })
    if (!row) return undefined
    const { api_model_identifier } = row
    await settleTies(tx, { provider_id, at: now() })
    const before = { api_model_identifier, ...JSON.parse(row.signer) }
    await events.record(tx, { provider_id, actor, action: 'signer.withdrawn', subject: ['signer', id], before })
    return row
  }

  return {
    async listSigners(caller: Caller, query: PageQuery) {
      const { rows, next_cursor } = await listSigners(database.read, caller.provider_id, query)
      const ties = await findTies(database.read, caller.provider_id, now())
      return { signers: rows.map((row) => signerOf(row, ties)), next_cursor }
    },

    /** Idempotent for a declared signer. */
    async declare(caller: Caller, { signer, ...of }: NewSigner): Promise<SignerRecord> {
      const api_model_identifier = of.api_model_identifier ?? null
      const refusal = declarationRefusal(signer)
      if (refusal) throw refusal
      const { provider_id, actor } = caller
      return database.transaction(async (tx) => {
        // So that no signer is stored twice.
        await lockProvider(database, tx, provider_id)
        const declared = await findAllSigners(tx, provider_id)
        const same = declared.find(
          (row) => row.api_model_identifier === api_model_identifier && isSameSigner(JSON.parse(row.signer), signer),
        )
        const ties = await findTies(tx, provider_id, now())
        if (same) return signerOf(same, ties)
        if (declared.length >= maxSigners)
          throw invalidField('signer', `At most ${maxSigners} signers may be declared. Withdraw one you no longer use.`)
        const isKey = (row: { api_model_identifier: string | null; signer: string }) =>
          row.api_model_identifier === api_model_identifier && JSON.parse(row.signer).kind === 'key'
        if (signer.kind === 'key' && declared.filter(isKey).length >= maxKeys)
          throw invalidField(
            'signer',
            `At most ${maxKeys} keys may sign ${api_model_identifier === null ? 'all models' : 'one model'}. Withdraw one you no longer use.`,
          )
        const row = {
          ...unproven,
          provider_id,
          id: newId('sgn'),
          api_model_identifier,
          signer: JSON.stringify(signer),
          created_at: now(),
        }
        const length = [row, ...declared].reduce((sum, { signer }) => sum + signer.length, 0)
        if (length > maxSignersLength)
          throw invalidField(
            'signer',
            `All signers together may take at most ${maxSignersLength} characters; with this one they take ${length}. Give only the root certificates, or withdraw a signer.`,
          )
        await insertSigner(tx, row)
        await askForChecksOf(tx, { provider_id, api_model_identifier, at: now() })
        await events.record(tx, {
          provider_id,
          actor,
          action: 'signer.declared',
          subject: ['signer', row.id],
          after: { api_model_identifier, ...signer },
        })
        return signerOf(row, ties)
      })
    },

    async challenge({ provider_id }: Caller, id: string): Promise<SignerChallenge> {
      const expires_at = now() + challengeMs
      const challenge = newSecret()
      return database.transaction(async (tx) => {
        const row = await setChallenge(tx, { provider_id, id, challenge, expires_at })
        if (!row) throw notFound()
        const { kind } = JSON.parse(row.signer) as DeclaredSigner
        if (kind !== 'key' && kind !== 'certificate') throw notProven(kind === 'identity' ? howIdentity : howRepository)
        return {
          id,
          message: challengeText({ publicUrl, provider_id, id, challenge, expires_at }),
          expires_at: new Date(expires_at).toISOString(),
        }
      })
    },

    async prove(
      { provider_id, actor }: Caller,
      id: string,
      { signature, certificate_chain }: NewSignerProof,
    ): Promise<SignerRecord> {
      const row = await findSigner(database.read, { provider_id, id })
      if (!row) throw notFound()
      const { challenge, challenge_expires_at: expires_at } = row
      if (challenge === null || expires_at === null || expires_at <= now())
        throw notProven('Request a new challenge and sign it')
      const answer = await checker.prove({
        signer: JSON.parse(row.signer),
        message: challengeText({ publicUrl, provider_id, id, challenge, expires_at }),
        signature,
        certificateChain: certificate_chain,
        now: now(),
      })
      if (!answer) throw notProven('Checking the proof took too long')
      if ('fault' in answer) throw notProven(answer.fault)
      const { key } = answer
      return database.transaction(async (tx) => {
        await lockProvider(database, tx, provider_id)
        const signer = await findSigner(tx, { provider_id, id })
        if (!signer) throw notFound()
        const keys = [...provenKeysOf(signer).filter((each) => each !== key), key].slice(-maxProvenKeys)
        const proven = await markProven(tx, { provider_id, id, challenge, keys, at: now() })
        if (!proven) throw notProven('This challenge was used or replaced. Request a new one and sign it')
        await events.record(tx, {
          provider_id,
          actor,
          action: 'signer.proven',
          subject: ['signer', id],
          after: { key_fingerprint: key },
        })
        await settleTies(tx, { provider_id, at: now() })
        return signerOf(proven, await findTies(tx, provider_id, now()))
      })
    },

    async withdraw(caller: Caller, id: string): Promise<SignerRecord> {
      return database.transaction(async (tx) => {
        const row = await takeSigner(tx, caller, id)
        if (!row) throw notFound()
        return signerOf(row, await findTies(tx, caller.provider_id, now()))
      })
    },

    /** Withdrawn while suspended: what is needed to restore it. */
    async holdSigner(tx: Tx, caller: Caller, id: string) {
      const row = await takeSigner(tx, caller, id)
      return row && { name: row.api_model_identifier, kept: JSON.stringify(row) }
    },

    async putSignerBack(tx: Tx, { provider_id, actor }: Caller, kept: string) {
      const row = { ...(JSON.parse(kept) as SignerRow), provider_id }
      const { api_model_identifier } = row
      await insertSigner(tx, row)
      await settleTies(tx, { provider_id, at: now() })
      const after = { api_model_identifier, ...JSON.parse(row.signer) }
      await events.record(tx, { provider_id, actor, action: 'signer.declared', subject: ['signer', row.id], after })
    },

    /** Not proven while suspended: what is needed to restore the proof. */
    async holdProof(tx: Tx, { provider_id }: Caller, id: string) {
      const row = await findSigner(tx, { provider_id, id })
      if (!row || !(await setProof(tx, row, { proven_at: null, proven_keys: null }))) return undefined
      await settleTies(tx, { provider_id, at: now() })
      const { api_model_identifier, proven_at, proven_keys } = row
      return { name: api_model_identifier, kept: JSON.stringify({ proven_at, proven_keys }) }
    },

    async putProofBack(tx: Tx, { provider_id, actor }: Caller, id: string, kept: string) {
      if (!(await setProof(tx, { provider_id, id }, JSON.parse(kept)))) return
      await settleTies(tx, { provider_id, at: now() })
      await events.record(tx, { provider_id, actor, action: 'signer.proven', subject: ['signer', id] })
    },
  }
}

const unproven = { challenge: null, challenge_expires_at: null, proven_at: null, proven_keys: null }

const notProven = (why: string) => new Refusal('signer_proof_invalid', `${why}.`)
const howIdentity = 'Only keys and certificates sign a challenge. A mailbox becomes yours when its domain is verified'
const howRepository =
  'Only keys and certificates sign a challenge. A repository becomes yours when one of its jobs has published here: countersign publishers add'
