import { parentPort } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'
import { yieldToMainThread } from '../thread.ts'
import { type Answer, options, type Question } from './hashing.ts'

let nobodys: string | undefined

const answerTo = (question: Question): Answer => {
  const { password } = question
  if (!('hashed' in question)) return { hash: hashSync(password, options), isRight: true }
  nobodys ??= hashSync('no account has this password', options)
  const hash = question.hashed ?? nobodys
  return { hash, isRight: verifySync(hash, password) && question.hashed !== undefined }
}

yieldToMainThread()
parentPort?.on('message', (question: Question) => parentPort?.postMessage(answerTo(question)))
