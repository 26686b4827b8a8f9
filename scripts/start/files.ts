import { randomFillSync } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAuthority, createSelfSigned } from '../../tests/support/certificates.ts'

/** A development CA and a server certificate for loopback. */
export const makeTlsFiles = async (folder: string) => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const files = {
    caFile: join(folder, 'ca.crt'),
    certFile: join(folder, 'server.crt'),
    keyFile: join(folder, 'server.key'),
  }
  const authority = await createAuthority()
  const server = await authority.issueServer()
  writeFileSync(files.caFile, authority.cert)
  writeFileSync(files.certFile, server.cert)
  writeFileSync(files.keyFile, server.key, { mode: 0o600 })
  return files
}

/** The key and certificate with which a deployment identifies itself. */
export const makeClientFiles = async (folder: string, name: string) => {
  const files = { certFile: join(folder, 'deployment.crt'), keyFile: join(folder, 'deployment.key') }
  const client = await createSelfSigned(name)
  writeFileSync(files.certFile, client.cert)
  writeFileSync(files.keyFile, client.key, { mode: 0o600 })
  return files
}

/** A small weights file: 4 MB in the safetensors format, with random values. */
export const makeModelFile = (path: string) => {
  const weights = randomFillSync(Buffer.alloc(4 * 1024 * 1024))
  const header = JSON.stringify({
    'model.weight': { dtype: 'F32', shape: [1024, 1024], data_offsets: [0, weights.length] },
  })
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(header.length))
  writeFileSync(path, Buffer.concat([length, Buffer.from(header), weights]))
  return path
}
