import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { formatVkey } from '@countersign/sdk/log'
import type { Call } from '../../../args/command.ts'
import type { Context } from '../../../context.ts'
import { Failure, usage } from '../../../failure.ts'
import { createDurably } from '../durable-file.ts'
import { formatEvidence } from '../evidence.ts'
import { parsePolicyText } from '../log-policy.ts'
import { addCheckpoint } from './add-checkpoint.ts'
import { createCheckpointStore, hashOfOrigin } from './checkpoint-store.ts'
import { openWitnessKey } from './witness-key.ts'
import { createWitnessServer } from './witness-server.ts'

const maxEvidence = 100

/** `countersign log witness` */
export const runWitness = async (context: Context, { flags }: Call) => {
  const { files, out, signal } = context
  const folder = files.pathOf(flags.text('state') ?? '')
  const policyFile = files.pathOf(flags.text('policy') ?? '')
  const policy = readPolicyFile(policyFile)
  const listen = readListen(flags.text('listen') ?? '127.0.0.1:7464')
  const signer = openWitnessKey(folder, flags.text('name'))
  const store = createCheckpointStore(join(folder, 'checkpoints'))
  const origins = new Set(policy.logs.map(({ key }) => key.name))

  const server = createWitnessServer({
    addCheckpoint: (body) =>
      addCheckpoint(body, {
        policy,
        signer,
        store,
        now: context.now,
        onFork: (one, other) => {
          // A log that lies can sign any number of trees, and must not fill the disk of a witness of other logs.
          if (readdirSync(folder).filter((each) => each.startsWith('evidence-')).length >= maxEvidence) return
          const { name, text } = formatEvidence({
            evidence: 'countersign-log/1',
            kind: 'fork',
            checkpoints: [one, other],
            prefix: null,
          })
          const file = join(folder, name)
          if (createDurably(file, text)) out.warn(`A log signed two trees of one size. Evidence: ${file}`)
        },
      }),
    checkpointOf: (originHash) =>
      [...origins].some((origin) => hashOfOrigin(origin) === originHash) ? store.latest(originHash)?.note : undefined,
    onError: (error) => out.warn(`The witness failed: ${error instanceof Error ? error.message : String(error)}`),
  })
  server.listen(listen)
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw new Failure('listen', 2, `Cannot listen on ${listen.host}:${listen.port} (${error.code})`)
  })
  const { address, port, family } = server.address() as AddressInfo
  const url = `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
  const vkey = formatVkey(signer.key)
  out.printLine({
    value: { url, vkey, logs: [...origins] },
    ids: [vkey],
    text: (paint) =>
      [
        `Witnessing ${[...origins].join(', ')} at ${url}`,
        `For policies and for the log’s operator: ${paint.bold(vkey)}`,
      ].join('\n'),
  })
  try {
    if (!signal.aborted) await once(signal, 'abort')
    signal.throwIfAborted()
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

const readPolicyFile = (path: string) => {
  const policy = parsePolicyText(readFileSync(path, 'utf8'), path)
  if (policy.logs.length > 0) return policy
  throw usage(`${path} names no log`, 'Add a line: log VKEY')
}

const readListen = (text: string): { host: string; port: number } => {
  const [, host, port] = /^(?:\[?([^\]]*?)\]?:)?(\d{1,5})$/.exec(text) ?? []
  if (port === undefined || Number(port) > 65_535)
    throw usage(`--listen must be an address and a port, not ${JSON.stringify(text)}`, 'For example: 127.0.0.1:7464')
  return { host: host || '127.0.0.1', port: Number(port) }
}
