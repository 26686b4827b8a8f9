import { parentPort } from 'node:worker_threads'
import { checkSignerProof, readTrustedRoot, type TrustedRootSource, verifyBundle } from '@countersign/sdk/integrity'
import { yieldToMainThread } from '../thread.ts'
import type { Answer, ProofQuestion, Question } from './checker.ts'

let read: { id: string; root: TrustedRootSource } | undefined

/** Parse a root once for all the bundles checked with it. */
const rootOf = ({ id, json }: Question['root']): TrustedRootSource => {
  if (read?.id !== id) read = { id, root: readTrustedRoot(json) }
  return read.root
}

const answerTo = (question: Question | ProofQuestion): Answer => {
  if ('proof' in question) return { proof: checkSignerProof({ ...question.proof, now: new Date(question.proof.now) }) }
  const { root, check } = question
  const trustedRoot = rootOf(root)
  if (!check) return { fault: trustedRoot.state === 'invalid' ? trustedRoot.detail : null }
  return { verdict: verifyBundle({ ...check, now: new Date(check.now), trustedRoot }) }
}

yieldToMainThread()
parentPort?.on('message', (question: Question | ProofQuestion) => parentPort?.postMessage(answerTo(question)))
