import { createPublicKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { ApiError, type Countersign } from '@countersign/sdk'
import type { Deployment } from '@countersign/sdk/contract'
import type { MtlsFetch, SpkiFingerprint } from '@countersign/sdk/node'
import type { Context } from '../../context.ts'
import { Failure } from '../../failure.ts'
import { resolveModel } from '../../registry/own-model.ts'
import { readPrivateKey } from '../../registry/private-key.ts'
import { signWith } from '../../registry/sign-with.ts'
import { shellWord } from '../../render/shell-word.ts'
import { modelsOf } from '../deployments/deployment.ts'
import { readFingerprint } from '../deployments/fingerprint.ts'
import { daysUntil, fail, type Look, ok, reasonOf, skipped, warn } from './finding.ts'
import { isOpenToOthers } from './local.ts'
import { reach } from './reach.ts'
import { createAsk } from './registry.ts'

export interface Papers {
  certificate: Look
  private_key: Look
  print: SpkiFingerprint | undefined
}

const soonDays = 30

/** The deployment's certificate and key, as files. */
export const readPapers = async (
  context: Context,
  cert: string | undefined,
  key: string | undefined,
): Promise<Papers> => {
  if (cert === undefined)
    return { certificate: skipped('No --cert FILE'), private_key: skipped('No --key FILE'), print: undefined }
  try {
    const print = await readFingerprint(await context.files.read(cert), cert)
    return {
      certificate: evaluateCertificate(print, cert, context.now()),
      private_key: await readKey(context, key, print),
      print,
    }
  } catch (error) {
    if (context.signal.aborted) throw context.signal.reason
    const certificate = fail(2, `${cert}: ${reasonOf(error)}`, `countersign fingerprint ${shellWord(cert)}`)
    return {
      certificate,
      private_key: skipped('Not checked: there is no certificate to compare it with'),
      print: undefined,
    }
  }
}

const evaluateCertificate = ({ hex, keyType, notAfter, source }: SpkiFingerprint, cert: string, now: Date): Look => {
  const facts = `${keyType}, SPKI sha256:${hex}`
  if (notAfter === undefined)
    return warn(`${cert} is a ${source}, not a certificate (${facts})`, `countersign fingerprint ${shellWord(cert)}`)
  const days = daysUntil(new Date(notAfter), now)
  const renew = `openssl req -x509 -key KEY -days 365 -subj /CN=chat -out ${shellWord(cert)}`
  if (days < 0)
    return fail(2, `${cert} expired ${notAfter} (${facts}); a renewal with the same key keeps the fingerprint`, renew)
  return days < soonDays
    ? warn(
        `${cert} expires ${notAfter}, in ${days} days (${facts}); a renewal with the same key keeps the fingerprint`,
        renew,
      )
    : ok(`${facts}, until ${notAfter}`)
}

const naming = (file: string, error: unknown) => {
  const reason = reasonOf(error)
  return reason.includes(file) ? reason : `${file}: ${reason}`
}

const readKey = async ({ files }: Context, key: string | undefined, { hex }: SpkiFingerprint): Promise<Look> => {
  if (key === undefined) return skipped('No --key FILE')
  try {
    const { spkiFingerprint } = await import('@countersign/sdk/node')
    const der = createPublicKey(readPrivateKey(Buffer.from(await files.read(key)), '--key', key)).export({
      type: 'spki',
      format: 'der',
    })
    if (spkiFingerprint(der).hex !== hex)
      return fail(2, `${key} does not belong to the certificate`, `countersign fingerprint ${shellWord(key)}`)
    if (isOpenToOthers(files.pathOf(key)))
      return warn(`Other users of this machine can read ${key}`, `chmod 600 ${shellWord(key)}`)
    return ok('It belongs to the certificate')
  } catch (error) {
    return fail(2, naming(key, error), `openssl pkey -in ${shellWord(key)} -noout -check`)
  }
}

/** The key with which a deployment signs its requests. */
export const readSigningKey = async (context: Context, file: string): Promise<Papers> => {
  const certificate = skipped('Not needed: requests are signed')
  try {
    const print = await readFingerprint(await context.files.read(file), file)
    await signWith(context, file)
    const isOpen = isOpenToOthers(context.files.pathOf(file))
    const private_key = isOpen
      ? warn(`Other users of this machine can read ${file}`, `chmod 600 ${shellWord(file)}`)
      : ok(`${print.keyType}, SPKI sha256:${print.hex}`)
    return { certificate, private_key, print }
  } catch (error) {
    if (context.signal.aborted) throw context.signal.reason
    const private_key = fail(2, naming(file, error), 'countersign deployments keygen NAME')
    return { certificate, private_key, print: undefined }
  }
}

/** Whether the registry knows the certificate's key and lets it speak for a model. */
export const lookAtDeployment = async (
  context: Context,
  client: Countersign | undefined,
  print: SpkiFingerprint | undefined,
  cert: string,
  model: string | undefined,
): Promise<Look> => {
  if (print === undefined) return skipped('No certificate')
  if (client === undefined) return skipped('Not checked: there is no valid API key')
  try {
    const all = await client.deployments.list({ limit: 100 }).toArray()
    const found = all.find(({ spki_fingerprint }) => spki_fingerprint === print.hex)
    if (found === undefined)
      return fail(
        5,
        'You have no deployment with this key',
        `countersign deployments register --cert ${shellWord(cert)}`,
      )
    const { deployment_id: id } = found
    if (found.status === 'disabled')
      return fail(4, `${id} is disabled`, `countersign deployments enable ${shellWord(id)}`)
    return evaluateDeployment(found, model, model && (await resolveModel(context, client, model)))
  } catch (error) {
    if (error instanceof ApiError && error.code === 'forbidden')
      return skipped(`The API key may not list deployments: ${error.detail}`)
    if (error instanceof Failure && error.code === 'not_found')
      return fail(5, error.message, 'countersign models list --archived')
    return fail(8, reasonOf(error), 'countersign deployments list')
  }
}

const evaluateDeployment = (deployment: Deployment, model: string | undefined, model_id: string | undefined): Look => {
  const { deployment_id, authorized_models: models, last_proven_at } = deployment
  const authorize = `countersign deployments authorize ${shellWord(deployment_id)} --model ${shellWord(model ?? 'MODEL')}`
  if (model !== undefined && !models.some(({ id }) => id === model_id)) {
    const named = model === model_id ? model : `${model} (${model_id})`
    return fail(4, `${deployment_id} is not authorized for ${named}`, authorize)
  }
  if (models.length === 0) return warn(`${deployment_id} is not authorized for any model`, authorize)
  const proven = last_proven_at === null ? 'not proven' : `last proven ${last_proven_at}`
  return ok(`${deployment_id} is enabled, for ${modelsOf(deployment)}; ${proven}`)
}

interface Door {
  look: Look
  /** Sends the certificate; set if there is one and the address answers. */
  fetch?: MtlsFetch
}

/** Calls the registry's mutual-TLS address with the certificate. */
export const lookAtTlsAddress = async (
  context: Context,
  cert: string | undefined,
  key: string | undefined,
): Promise<Door> => {
  const url = context.setting('tls_url')
  if (cert === undefined || key === undefined) return { look: skipped('Requires --cert FILE and --key FILE') }
  if (url === undefined)
    return { look: skipped('No mutual-TLS address: use --tls-url URL, or set COUNTERSIGN_TLS_URL') }
  const caFile = context.setting('ca_file')
  const ca = caFile && context.files.pathOf(caFile)
  const pems = { cert: readFileSync(context.files.pathOf(cert)), key: readFileSync(context.files.pathOf(key)) }
  try {
    const { dns, tcp, tls } = await reach(context, { url, caFile: ca, setting: 'tls_url', ...pems })
    const failed = [dns, tcp, tls].find(({ status }) => status === 'fail')
    if (failed !== undefined) return { look: failed }
    const { createMtlsFetch } = await import('@countersign/sdk/node')
    const fetch = createMtlsFetch({ ...pems, ...(ca && { ca: readFileSync(ca) }) })
    const { response } = await (await createAsk(context, url, fetch))(
      `${url.replace(/\/+$/, '')}/.well-known/jwks.json`,
    )
    if (!response.ok) {
      await fetch.close()
      return {
        look: fail(8, `${url} answers ${response.status}: is it a registry?`, 'countersign config explain tls_url'),
      }
    }
    return {
      look: ok(`${url} accepts the certificate; add --model MODEL to see whether it proves the deployment`),
      fetch,
    }
  } catch (error) {
    if (context.signal.aborted) throw context.signal.reason
    return { look: fail(8, `${url}: ${reasonOf(error)}`, 'countersign config explain tls_url') }
  }
}
