import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { formatCheckpoint, formatNote, leafHash, type NoteSigner, noteKey, signNote } from '@countersign/sdk/log'
import {
  appendLeaves,
  consistencyProof,
  emptyEdge,
  formatBundle,
  headOf,
  inclusionProof,
  parseTilePath,
  type Tile,
  tilePath,
  tileWidth,
} from '@countersign/sdk/log/tiles'
import { onTestFinished } from 'vitest'

/** A key that signs notes: 1 for logs, 4 for cosignatures. */
export const createNoteSigner = (name: string, type: number, privateKey: KeyObject = newKey()): NoteSigner => {
  const { x = '' } = createPublicKey(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()).export({
    format: 'jwk',
  })
  return {
    key: noteKey(name, type, Buffer.from(x, 'base64url')),
    sign: (message) => sign(null, message, privateKey),
  }
}

const newKey = () => {
  const { privateKey } = generateKeyPairSync('ed25519')
  return createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' }))
}

/** A log in memory, as c2sp.org/tlog-tiles. Nothing stops it from lying: its parts can be replaced. */
export const createTestLog = (origin: string, signer = createNoteSigner(origin, 1)) => {
  const entries: Uint8Array[] = []
  const tiles = new Map<string, Uint8Array>()
  let edge = emptyEdge

  const append = (...added: readonly Uint8Array[]) => {
    const appended = appendLeaves(edge, added.map(leafHash))
    for (const tile of appended.tiles) tiles.set(tilePath(tile), tile.hashes)
    edge = appended.edge
    entries.push(...added)
  }
  const read = (tile: Tile): Uint8Array => {
    const stored = tiles.get(tilePath(tile))
    if (stored) return stored
    throw new Error(`no ${tilePath(tile)}`)
  }
  const checkpoint = async (...cosigners: readonly NoteSigner[]) => {
    const text = formatCheckpoint({ origin, ...headOf(edge) })
    const time = Math.floor(Date.now() / 1_000)
    return formatNote({
      text,
      signatures: await Promise.all([signer, ...cosigners].map((each) => signNote(text, each, time))),
    })
  }
  return {
    origin,
    signer,
    entries,
    append,
    checkpoint,
    size: () => edge.size,
    inclusion: (index: number) => inclusionProof(index, edge.size, read),
    /** The body of add-checkpoint for a witness that saw the tree of size `old`. */
    submission: async (old: number) => {
      const proof = await consistencyProof(old, edge.size, read)
      const lines = [`old ${old}`, ...proof.map((hash) => Buffer.from(hash).toString('base64'))]
      return `${lines.join('\n')}\n\n${await checkpoint()}`
    },
    /** The content of a path below the log's address; undefined if it has none. */
    file: async (path: string): Promise<Uint8Array | string | undefined> => {
      if (path === 'checkpoint') return checkpoint()
      const tile = parseTilePath(path)
      if (tile?.level !== 'entries') return tiles.get(path)
      const start = tile.index * tileWidth
      return start + tile.width <= entries.length ? formatBundle(entries.slice(start, start + tile.width)) : undefined
    },
  }
}

export type TestLog = ReturnType<typeof createTestLog>

/** Serves files below a prefix; `log` may be exchanged. Returns its address. */
export const serveLog = async (source: { log: Pick<TestLog, 'file'> }): Promise<string> => {
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/^\/log\//, '')
    source.log.file(path).then(
      (content) => {
        response.statusCode = content === undefined ? 404 : 200
        response.end(content)
      },
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
