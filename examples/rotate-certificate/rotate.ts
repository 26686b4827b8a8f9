// Replaces the certificate of a deployment without downtime:
//   node rotate.ts begin OLD NEW     the new key is accepted beside the old one, for the same models
//   node rotate.ts finish OLD NEW    the old key is no longer accepted
// OLD and NEW stand for OLD.crt with OLD.key, and NEW.crt with NEW.key. Between the two steps, copy the new certificate to your servers.
// Set COUNTERSIGN_API_URL, COUNTERSIGN_API_KEY and COUNTERSIGN_TLS_URL, and COUNTERSIGN_CA_FILE if that server uses your own authority.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { ApiError, createClient } from '@countersign/sdk'
import { createMtlsFetch, spkiFingerprint } from '@countersign/sdk/node'

const [step, ...names] = process.argv.slice(2)
const [old = '', next = ''] = names
const stop = (exit: number, message: string): never => {
  console.error(message)
  process.exit(exit)
}

if ((step !== 'begin' && step !== 'finish') || names.length !== 2) stop(2, 'Usage: node rotate.ts begin|finish OLD NEW')
const {
  COUNTERSIGN_API_URL: baseURL,
  COUNTERSIGN_API_KEY: apiKey,
  COUNTERSIGN_TLS_URL: tlsURL,
  COUNTERSIGN_CA_FILE: caFile,
} = process.env
const files = [...names.flatMap((name) => [`${name}.crt`, `${name}.key`]), ...(caFile ? [caFile] : [])]
const missing = [
  ...['COUNTERSIGN_API_URL', 'COUNTERSIGN_API_KEY', 'COUNTERSIGN_TLS_URL'].filter((name) => !process.env[name]),
  ...files.filter((file) => !existsSync(file)),
]
if (missing.length > 0) stop(2, `Missing: ${missing.join(', ')}`)
const client = createClient({ baseURL, apiKey })

/** The deployment that a certificate's key belongs to. */
const findDeployment = async (name: string) => {
  const { hex } = spkiFingerprint(await readFile(`${name}.crt`))
  for await (const deployment of client.deployments.list({ limit: 100 }))
    if (deployment.spki_fingerprint === hex) return deployment
  return undefined
}

const getDeployment = async (name: string) =>
  (await findDeployment(name)) ?? stop(1, `${name}.crt does not belong to a deployment`)

/** Mints with this certificate and returns when the link expires, or undefined if minting is not allowed. */
const tryMint = async (name: string, model_id: string): Promise<number | undefined> => {
  const fetch = createMtlsFetch({
    cert: await readFile(`${name}.crt`),
    key: await readFile(`${name}.key`),
    ...(caFile && { ca: await readFile(caFile) }),
  })
  try {
    const overTls = createClient({ baseURL: tlsURL, apiKey, fetch })
    const link = await overTls.verifications.create({ model_id })
    if (link.deployment_binding !== 'mtls') stop(1, `${name}: the link does not prove its deployment`)
    return Date.parse(link.expires_at)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'deployment_not_authorized') return undefined
    throw error
  } finally {
    await fetch.close()
  }
}

const begin = async () => {
  const { labels, authorized_models } = await getDeployment(old)
  const [model = stop(1, `${old}.crt is not authorized for any model`)] = authorized_models
  const { deployment_id } =
    (await findDeployment(next)) ??
    (await client.deployments.register({
      spki_fingerprint: spkiFingerprint(await readFile(`${next}.crt`)).hex,
      labels,
    }))
  const known = new Set((await getDeployment(next)).authorized_models.map(({ id }) => id))
  for (const { id } of authorized_models) if (!known.has(id)) await client.models.allowDeployment(id, { deployment_id })

  // Both must be accepted; otherwise some servers could not mint.
  for (const name of [old, next])
    if ((await tryMint(name, model.id)) === undefined) stop(1, `${name}.crt is not accepted`)
  console.log(
    `${old}.crt and ${next}.crt are both accepted. Copy ${next}.crt to your servers, then run: node rotate.ts finish ${old} ${next}`,
  )
}

/** How long a link is valid. Disabling a deployment ends its links at once, so wait until the last one has expired. */
const linkMs = 15 * 60_000
/** `last_used_at` is updated at most this often. */
const precisionMs = 60_000

const finish = async () => {
  const { deployment_id, last_used_at, authorized_models, status } = await getDeployment(old)
  const [model = stop(1, `${old}.crt is not authorized for any model`)] = authorized_models
  const validUntil = await tryMint(next, model.id)
  if (validUntil === undefined)
    return stop(1, `${next}.crt is not accepted; nothing was changed. First run: node rotate.ts begin`)
  // Use the registry's clock: it just set the expiry of a new link.
  const safeAt = Date.parse(last_used_at ?? '1970-01-01T00:00:00Z') + precisionMs + linkMs
  if (status === 'enabled' && validUntil - linkMs < safeAt)
    stop(
      75,
      `${old}.crt was used recently; its links are valid until ${new Date(safeAt).toISOString()}. Run this again then.`,
    )
  await client.deployments.setStatus(deployment_id, { status: 'disabled' })

  if ((await tryMint(old, model.id)) !== undefined) stop(1, `${old}.crt is still accepted`)
  if ((await tryMint(next, model.id)) === undefined) stop(1, `${next}.crt is not accepted`)
  console.log(`${old}.crt is no longer accepted, ${next}.crt is.`)
}

await (step === 'begin' ? begin() : finish())
