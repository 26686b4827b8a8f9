import { parentPort } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'
import { yieldToMainThread } from '../thread.ts'
import type { Answer, Question } from './hashing.ts'

/** By memory. */
const nobodys = new Map<number, string>()

const answerTo = (question: Question): Answer => {
  const { password, cost } = question
  if (!('hashed' in question)) return { hash: hashSync(password, cost), isRight: true }
  const nobody = nobodys.get(cost.memoryCost) ?? hashSync('no account has this password', cost)
  nobodys.set(cost.memoryCost, nobody)
  const hash = question.hashed ?? nobody
  return { hash, isRight: verifySync(hash, password) && question.hashed !== undefined }
}

yieldToMainThread()
parentPort?.on('message', (question: Question) => parentPort?.postMessage(answerTo(question)))
