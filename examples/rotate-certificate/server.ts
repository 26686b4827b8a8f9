// Part of a chat server: mints a link every second with the certificate in server.crt and server.key, and loads a new one
// without a restart. Exits 1 as soon as a link cannot be minted. Set COUNTERSIGN_TLS_URL, COUNTERSIGN_API_KEY and MODEL_ID, and
// COUNTERSIGN_CA_FILE if the registry's authority is your own.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { createClient } from '@countersign/sdk'
import { createMtlsFetch, type MtlsFetch } from '@countersign/sdk/node'

const ca = process.env.COUNTERSIGN_CA_FILE
const missing = [
  ...['COUNTERSIGN_TLS_URL', 'COUNTERSIGN_API_KEY', 'MODEL_ID'].filter((name) => !process.env[name]),
  ...['server.crt', 'server.key', ...(ca ? [ca] : [])].filter((file) => !existsSync(file)),
]
if (missing.length > 0) {
  console.error(`Missing: ${missing.join(', ')}`)
  process.exit(2)
}

/** A `fetch` that always presents the current certificate. */
const createRotatingFetch = (certFile: string, keyFile: string): typeof fetch => {
  let loaded = ''
  let current: MtlsFetch | undefined
  return async (input, init) => {
    const [cert, key] = await Promise.all([readFile(certFile, 'utf8'), readFile(keyFile, 'utf8')])
    if (current === undefined || cert !== loaded) {
      try {
        const next = createMtlsFetch({ cert, key, ...(ca && { ca: await readFile(ca) }) })
        void current?.close()
        current = next
        loaded = cert
      } catch (error) {
        // Only one of the two files was replaced so far: keep using the previous certificate.
        if (current === undefined) throw error
      }
    }
    return current(input, init)
  }
}

const client = createClient({
  baseURL: process.env.COUNTERSIGN_TLS_URL,
  apiKey: process.env.COUNTERSIGN_API_KEY,
  fetch: createRotatingFetch('server.crt', 'server.key'),
  maxRetries: 0,
})

let isEnding = false
process.on('SIGTERM', () => {
  isEnding = true
})
while (!isEnding) {
  const { deployment_id, deployment_binding, verification_url } = await client.verifications.create({
    model_id: process.env.MODEL_ID ?? '',
  })
  console.log(`${deployment_id} ${deployment_binding} ${verification_url}`)
  await setTimeout(Number(process.env.EVERY_MS ?? 1_000))
}
