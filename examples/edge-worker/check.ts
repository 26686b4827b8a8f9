// Calls the worker as its runtime would, with the variables of this shell. Exits 1 unless its links are proven.
import worker, { type Env } from './worker.ts'

const names = ['COUNTERSIGN_API_URL', 'COUNTERSIGN_API_KEY', 'DEPLOYMENT_KEY', 'MODEL_ID'] as const
const missing = names.filter((name) => !process.env[name])
if (missing.length > 0) {
  console.error(`Missing: ${missing.join(', ')}`)
  process.exit(2)
}
const env = Object.fromEntries(names.map((name) => [name, process.env[name]])) as unknown as Env

const health = await worker.fetch(new Request('https://worker.example/health'), env)
console.log(await health.text())
const stranger = await worker.fetch(new Request('https://worker.example/link', { method: 'POST' }), env)
const visitor = new Request('https://worker.example/link', { method: 'POST', headers: { 'X-Session': 'session 1' } })
const link = await worker.fetch(visitor, env)
console.log(await link.text())
process.exitCode = health.ok && stranger.status === 401 && link.ok ? 0 : 1
