import { parentPort } from 'node:worker_threads'
import { parseJson } from './json.ts'

parentPort?.on('message', (bytes: Uint8Array) => parentPort?.postMessage(parseJson(bytes)))
