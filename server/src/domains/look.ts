import type { DomainProof } from '@countersign/sdk/contract'
import type { ProofMethod } from '../db/schema.ts'
import { proofOf } from './changes.ts'
import type { Deps } from './deps.ts'
import { agreeOn, evaluateFile, evaluateTxt, isAllowedByPolicy } from './rules.ts'
import type { DomainRow } from './store.ts'
import type { Finding } from './words.ts'

/** Looks up proofs, in DNS and on websites. */
export const createLook = ({ resolveTxt, readDomainFile }: Deps) => {
  const lookAtRecord = async (provider_id: string, proof: DomainProof, method: ProofMethod): Promise<Finding> => {
    const answers = await resolveTxt(proof.record_name)
    const policy = agreeOn(
      answers,
      ({ records }) => (isAllowedByPolicy(records, provider_id) ? 'allowed' : 'policy_excludes'),
      (verdict) => verdict === 'allowed',
    )
    if (policy !== 'allowed' || method === 'file') return policy === 'allowed' ? 'verified' : policy
    return agreeOn(
      answers,
      ({ isAlias, records }) => (isAlias ? 'name_is_alias' : evaluateTxt(records, proof)),
      (verdict) => verdict === 'verified',
    )
  }

  const lookAtFile = async (proof: DomainProof): Promise<Finding> => {
    const alias = agreeOn(
      await resolveTxt(proof.domain),
      ({ isAlias }) => (isAlias ? 'name_is_alias' : 'verified'),
      (verdict) => verdict === 'verified',
    )
    if (alias !== 'verified') return alias
    const text = await readDomainFile(proof.file_url)
    return text === undefined ? 'website_unavailable' : evaluateFile(text, proof)
  }

  /** Reads the proof and the owner's policy. */
  const look = async (row: DomainRow, method: ProofMethod): Promise<Finding> => {
    const proof = proofOf(row)
    const record = await lookAtRecord(row.provider_id, proof, method)
    return record === 'verified' && method === 'file' ? lookAtFile(proof) : record
  }

  return look
}

export type Look = ReturnType<typeof createLook>
