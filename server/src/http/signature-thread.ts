import { parentPort } from 'node:worker_threads'
import { createKeyReader, isSignedBy, type ToVerify } from './signature-keys.ts'

const readKey = createKeyReader()

const isSigned = ({ key, base, signature }: ToVerify): boolean => {
  const known = readKey(key)
  return known !== undefined && isSignedBy(known, base, Buffer.from(signature, 'base64'))
}

parentPort?.on('message', (batch: ToVerify[]) => parentPort?.postMessage(batch.map(isSigned)))
