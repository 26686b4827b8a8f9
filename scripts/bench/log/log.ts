import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { LogPolicy } from '@countersign/sdk/log'
import { formatEntry } from '@countersign/sdk/log/entries'
import type { Insertable } from 'kysely'
import { migrate } from '../../../server/src/db/migrate.ts'
import { openDatabase } from '../../../server/src/db/open.ts'
import type { LogPendingTable, Tx } from '../../../server/src/db/schema.ts'
import { createNewId } from '../../../server/src/ids.ts'
import type { Egress } from '../../../server/src/outbound/egress.ts'
import { createTransparencyService } from '../../../server/src/transparency/service.ts'
import { insertPending } from '../../../server/src/transparency/store.ts'

const newId = createNewId(Date.now)

/** An entry that waits, about a server that was authorized. */
export const pendingRow = (index: number): Insertable<LogPendingTable> => {
  const at = Date.now()
  const [provider, deployment, model] = [`prv_${index % 997}`, newId('dep'), newId('mdl')]
  const leaf = formatEntry({
    v: 1,
    type: 'deployment.authorized',
    at: new Date(at).toISOString(),
    provider,
    deployment,
    model,
    spki: randomBytes(32).toString('hex'),
  })
  return {
    revision: 1,
    id: newId('evt').slice('evt_'.length),
    owner: provider,
    subject: deployment,
    type: 'deployment.authorized',
    is_public: 1,
    at,
    leaf: Buffer.from(leaf).toString(),
    revealed: null,
  }
}

export const addPending = (tx: Tx, rows: readonly Insertable<LogPendingTable>[]) => insertPending(tx, rows)

/** A log on a SQLite database of its own, with the settings of a registry. */
export const createLog = async (folder: string, { policy }: { policy: LogPolicy | null }) => {
  mkdirSync(folder, { recursive: true })
  const database = await openDatabase(`sqlite:${join(folder, 'countersign.db')}`)
  await migrate(database, Date.now)
  /** The witnesses are on loopback, which a registry's own client would reject. */
  const ask: Egress['fetch'] = async (url, options) => {
    const response = await fetch(url, options)
    return { status: response.status, headers: {}, body: Buffer.from(await response.arrayBuffer()), url }
  }
  const log = createTransparencyService({
    database,
    egress: { fetch: ask },
    encryptionKey: randomBytes(32),
    policy,
    publicUrl: 'https://registry.example',
    holder: 'bench',
    now: Date.now,
    newId,
    onFailure: (error) => {
      throw error
    },
    onHalt: (why) => {
      throw new Error(`The log halted: ${why}`)
    },
  })
  await log.prepare()
  await log.sequence()
  return { database, log }
}
