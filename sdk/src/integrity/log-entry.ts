import { createPublicKey, type KeyObject } from 'node:crypto'
import type { TransparencyLogEntry } from '@sigstore/bundle'
import { z } from 'zod'
import type { BundleLog } from '../contract/bundles.ts'
import { reject } from './rejection.ts'
import { sameBytes } from './signature.ts'

const text = z.string()
const Verifier = z.union([
  z
    .object({ x509Certificate: z.object({ rawBytes: text }) })
    .transform(({ x509Certificate }) => x509Certificate.rawBytes),
  z.object({ publicKey: z.object({ rawBytes: text }) }).transform(({ publicKey }) => publicKey.rawBytes),
])

/** Where each kind of entry stores its key or certificate. */
const bodies = {
  'hashedrekord/0.0.1': z
    .object({ spec: z.object({ signature: z.object({ publicKey: z.object({ content: text }) }) }) })
    .transform(({ spec }) => spec.signature.publicKey.content),
  'dsse/0.0.1': z
    .object({ spec: z.object({ signatures: z.tuple([z.object({ verifier: text })]) }) })
    .transform(({ spec }) => spec.signatures[0].verifier),
  'intoto/0.0.2': z
    .object({
      spec: z.object({
        content: z.object({ envelope: z.object({ signatures: z.tuple([z.object({ publicKey: text })]) }) }),
      }),
    })
    .transform(({ spec }) => spec.content.envelope.signatures[0].publicKey),
  'hashedrekord/0.0.2': z
    .object({ spec: z.object({ hashedRekordV002: z.object({ signature: z.object({ verifier: Verifier }) }) }) })
    .transform(({ spec }) => spec.hashedRekordV002.signature.verifier),
  'dsse/0.0.2': z
    .object({ spec: z.object({ dsseV002: z.object({ signatures: z.tuple([z.object({ verifier: Verifier })]) }) }) })
    .transform(({ spec }) => spec.dsseV002.signatures[0].verifier),
}

const kindOf = ({ kindVersion }: TransparencyLogEntry) =>
  `${kindVersion.kind}/${kindVersion.version}` as keyof typeof bodies

/** The key or certificate of a bundle. */
interface EntryKey {
  certificate?: Buffer
  publicKey: KeyObject
}

/**
 * The log must have recorded this signature for this key. @sigstore/verify compares only digest and signature, so an
 * entry of another key would pass.
 */
export const checkEntryKey = (entry: TransparencyLogEntry, signed: EntryKey): void => {
  const { data, error } = bodies[kindOf(entry)].safeParse(JSON.parse(entry.canonicalizedBody.toString('utf8')))
  if (error)
    reject('transparency_log', 'log_entry_mismatch', 'The log entry has the wrong structure for its kind', error)
  const isSame = isSameKey(Buffer.from(data, 'base64'), signed)
  if (!isSame) reject('transparency_log', 'log_entry_mismatch', 'The log entry was made for another key')
}

/** Version 1 logs store PEM, later ones DER: the certificate if there was one, else the key. */
const isSameKey = (bytes: Buffer, { certificate, publicKey }: EntryKey): boolean => {
  const pem = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END/.exec(bytes.toString('latin1'))
  const der = pem ? Buffer.from(pem[1] ?? '', 'base64') : bytes
  if (certificate && sameBytes(der, certificate)) return true
  // Another certificate of the same key would hide this name from people who monitor the log.
  if (pem) return false
  const key = createPublicKey(bytes.includes('-----BEGIN') ? bytes : { key: bytes, format: 'der', type: 'spki' })
  return sameBytes(key.export({ type: 'spki', format: 'der' }), publicKey.export({ type: 'spki', format: 'der' }))
}

/** The log entry. Without a signed promise, only the index in the inclusion proof is proven. */
export const logOf = ({
  logIndex,
  logId,
  kindVersion,
  inclusionPromise,
  inclusionProof,
}: TransparencyLogEntry): BundleLog => ({
  index: inclusionPromise || !inclusionProof ? logIndex : inclusionProof.logIndex,
  kind: kindVersion.version === '0.0.2' && kindVersion.kind !== 'intoto' ? 'rekor-v2' : 'rekor-v1',
  log_id: logId.keyId.toString('hex'),
  origin: inclusionProof?.checkpoint?.envelope.split('\n', 1)[0]?.slice(0, 200) || null,
})
