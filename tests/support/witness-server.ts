import { generateKeyPairSync, sign } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatVkey, type LogPolicy, noteKey, parseVkey, signatureTypes } from '@countersign/sdk/log'
import { onTestFinished } from 'vitest'
import { addCheckpoint } from '../../cli/src/commands/log/witness/add-checkpoint.ts'
import { createCheckpointStore } from '../../cli/src/commands/log/witness/checkpoint-store.ts'
import { createWitnessServer } from '../../cli/src/commands/log/witness/witness-server.ts'

interface Instead {
  status: number
  body: string
}

/** A witness of one log, which may answer something else for a while. */
export const startWitnessServer = async (name: string) => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const key = noteKey(
    name,
    signatureTypes.cosignature,
    Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'),
  )
  const folder = await mkdtemp(join(tmpdir(), 'countersign-witness-'))
  const store = createCheckpointStore(folder)
  const policy: LogPolicy = { logs: [], witnesses: new Map(), groups: new Map(), quorum: 'none' }
  let instead: ((body: string) => Instead | Promise<Instead>) | undefined
  const server = createWitnessServer({
    addCheckpoint: async (body) =>
      instead
        ? ({ type: 'text/plain; charset=utf-8', ...(await instead(body)) } as never)
        : addCheckpoint(body, {
            policy,
            signer: { key, sign: (message) => sign(null, message, privateKey) },
            store,
            now: () => new Date(),
            onFork: () => {},
          }),
    checkpointOf: (originHash) => store.latest(originHash)?.note,
    onError: () => {},
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await rm(folder, { recursive: true, force: true })
  })
  return {
    name,
    hostAndPort: `127.0.0.1:${port}`,
    line: `witness ${name} ${formatVkey(key)} http://127.0.0.1:${port}`,
    /** The log that it knows from now on. */
    trust: (vkey: string) => policy.logs.push({ key: parseVkey(vkey) }),
    answer: (other: typeof instead) => {
      instead = other
    },
  }
}
