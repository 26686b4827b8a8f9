import { parentPort, workerData } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'

const { source, target } = workerData as { source: string; target: string }

// In a thread, because it is one long call: the main thread shows the progress. Writers are not blocked.
const handle = new Sqlite(source, { readonly: true, timeout: 10_000 })
try {
  handle.prepare('vacuum into ?').run(target)
} finally {
  handle.close()
}
parentPort?.postMessage('done')
