import { parentPort } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'
import { yieldToMainThread } from '../thread.ts'
import type { Answer, Question } from './hashing.ts'

/** Hashes that no password has, by the memory they cost: an address without an account takes as long to reject. */
const placeholders = new Map<number, string>()

const answerTo = (question: Question): Answer => {
  const { password, cost } = question
  if (!('hashed' in question)) return { hash: hashSync(password, cost), isRight: true }
  const placeholder = placeholders.get(cost.memoryCost) ?? hashSync('no account has this password', cost)
  placeholders.set(cost.memoryCost, placeholder)
  const hash = question.hashed ?? placeholder
  return { hash, isRight: verifySync(hash, password) && question.hashed !== undefined }
}

yieldToMainThread()
parentPort?.on('message', (question: Question) => parentPort?.postMessage(answerTo(question)))
