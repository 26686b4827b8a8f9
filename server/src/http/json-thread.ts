import { parentPort } from 'node:worker_threads'
import { parseJson, type ToParse } from './json.ts'

parentPort?.on('message', ({ bytes, maxValues }: ToParse) => parentPort?.postMessage(parseJson(bytes, maxValues)))
