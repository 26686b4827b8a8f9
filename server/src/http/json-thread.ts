import { parentPort } from 'node:worker_threads'
import { yieldToMainThread } from '../thread.ts'
import { parseJson, type ToParse } from './json.ts'

yieldToMainThread()
parentPort?.on('message', ({ bytes, maxValues }: ToParse) => parentPort?.postMessage(parseJson(bytes, maxValues)))
