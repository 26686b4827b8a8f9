import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  formatCheckpoint,
  formatNote,
  formatProof,
  leafHash,
  type NoteSigner,
  nodeHash,
  noteKey,
  parseProof,
  signatureTypes,
  signNote,
  verifyProof,
} from '@countersign/sdk/log'
import { inclusionProof, type ReadTile, rootFromTiles } from '@countersign/sdk/log/tiles'
import Sqlite from 'better-sqlite3'
import { createGoSigningKey } from '../../tests/support/go-signing-key.ts'
import { buildGoProgram } from '../../tests/vectors/go-program.ts'
import { type Measured, measure, median, type Report, ratioOfRounds, rotated } from './goal.ts'
import { addPending, createLog, pendingRow } from './log/log.ts'
import { measureCosigned } from './log/witnessed.ts'
import { startLoad } from './processes.ts'
import { rates, type Sample, takeSample } from './rounds.ts'
import type { World } from './world.ts'

const entryCount = 30_000

/** Seconds until entries that wait are in the signed tree, durably. */
const integrate = async (world: World) => {
  const { database, log } = await createLog(join(world.folder, 'log-rate'), { policy: null })
  const rows = Array.from({ length: entryCount }, (_, index) => pendingRow(index))
  await database.transaction((tx) => addPending(tx, rows))
  const started = performance.now()
  while ((await log.state()).size < entryCount) await log.sequence()
  const seconds = (performance.now() - started) / 1_000
  await database.close()
  return { seconds, leaves: rows.map(({ leaf }) => leaf) }
}

/** Seconds that Tessera's POSIX driver takes for the same entries: files synced, without antispam. Or why it was not measured. */
const integrateWithTessera = async (world: World, leaves: readonly string[]): Promise<number | { missing: string }> => {
  const go = await buildGoProgram('tessera')
  if ('missing' in go) return go
  const folder = join(world.folder, 'tessera')
  mkdirSync(folder)
  const { signingKey } = createGoSigningKey('tessera.example/log')
  return Number(await go.run('rate', folder, signingKey, world.write('tessera-entries', leaves.join('\n'))))
}

/** Adds 100 entries a second to a registry's database, as changes would. */
const startEntries = (file: string) => {
  const database = new Sqlite(file, { timeout: 5_000 })
  const columns = Object.keys(pendingRow(0))
  const insert = database.prepare(
    `insert into log_pending (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
  )
  let index = 0
  const addTen = database.transaction(() => {
    for (let count = 0; count < 10; count++) insert.run(Object.values(pendingRow(index++)))
  })
  const timer = setInterval(addTen, 100)
  return () => {
    clearInterval(timer)
    database.close()
  }
}

/** Minting while 100 entries a second are integrated, divided by minting while they only wait. In pairs. */
const mintWithLog = async (world: World): Promise<{ ratio: number; on: number; off: number }> => {
  const load = await startLoad()
  const copies = [world.copy('log-on'), world.copy('log-off')] as const
  const halting = new Sqlite(world.databaseOf('log-off'))
  halting.prepare("update log_state set halted = 'restored'").run()
  halting.close()
  const servers = await Promise.all(copies.map((copy) => world.startRegistry(copy)))
  try {
    const contenders = servers.map((server, index) => ({
      contender: { server, file: world.mintRequests, status: 201 },
      database: world.databaseOf(copies[index] ?? ''),
      samples: [] as Sample[],
    }))
    for (const { contender } of contenders) await takeSample(load, contender, 3_000)
    for (let round = 0; round < 15; round++)
      for (const { contender, database, samples } of rotated(contenders, round)) {
        const stop = startEntries(database)
        samples.push(await takeSample(load, contender, 1_500))
        stop()
      }
    const [on, off] = contenders.map(({ samples }) => rates(samples))
    return { ratio: ratioOfRounds(on ?? [], off ?? []), on: median(on ?? []), off: median(off ?? []) }
  } finally {
    await Promise.all([load.stop(), ...servers.map(({ kill }) => kill())])
  }
}

const createSigner = (name: string, type: number): NoteSigner => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  return { key: noteKey(name, type, Buffer.from(x, 'base64url')), sign: (message) => sign(null, message, privateKey) }
}

/** The tiles of a tree whose entries are all the same, so that every full tile of a level is the same. */
const tilesOfEqual = (entry: Uint8Array): ReadTile => {
  const hashes: Uint8Array[] = [leafHash(entry)]
  const hashOf = (level: number): Uint8Array => {
    let hash = hashes[level]
    if (hash) return hash
    hash = hashOf(level - 1)
    for (let doubling = 0; doubling < 8; doubling++) hash = nodeHash(hash, hash)
    hashes[level] = hash
    return hash
  }
  return async ({ level, width }) =>
    Buffer.concat(Array.from({ length: width }, () => hashOf(level === 'entries' ? 0 : level)))
}

/** Bytes of a proof in a tree of ten million entries, with three cosignatures. It is verified. */
const proofSize = async (): Promise<number> => {
  const [size, index] = [10_000_000, 4_194_303]
  const entry = randomBytes(300)
  const readTile = tilesOfEqual(entry)
  const log = createSigner('registry.example/log', signatureTypes.ed25519)
  const witnesses = ['north', 'south', 'west'].map((name) =>
    createSigner(`witness.${name}.example`, signatureTypes.cosignature),
  )
  const text = formatCheckpoint({ origin: log.key.name, size, root: await rootFromTiles(size, readTile) })
  const signatures = await Promise.all([log, ...witnesses].map((signer) => signNote(text, signer, 1_800_000_000)))
  const hashes = await inclusionProof(index, size, readTile)
  const proof = formatProof({ index, hashes, checkpoint: formatNote({ text, signatures }) })
  const names = witnesses.map(({ key }) => key.name)
  await verifyProof(parseProof(proof), leafHash(entry), {
    logs: [{ key: log.key }],
    witnesses: new Map(witnesses.map(({ key }) => [key.name, { key }])),
    groups: new Map([['all', { threshold: 3, members: names }]]),
    quorum: 'all',
  })
  return Buffer.byteLength(proof)
}

/** Measures the transparency log: how fast it grows, how soon facts are provable, what it costs minting, and the size of proofs. */
export const measureLog = async (world: World): Promise<Report> => {
  const { seconds, leaves } = await integrate(world)
  const tessera = await integrateWithTessera(world, leaves)
  const cosigned = await measureCosigned(join(world.folder, 'log-witnessed'))
  const mint = await mintWithLog(world)
  const bytes = await proofSize()
  const rate = entryCount / seconds
  const compared: Measured[] =
    typeof tessera === 'number'
      ? [measure({ goal: 'LOG', name: 'entries / Tessera’s POSIX driver', floor: 0.5, target: 1 }, tessera / seconds)]
      : []
  return {
    measured: [
      measure({ goal: 'LOG', name: 'entries a second / 3,000', floor: 1, target: 1.5 }, rate / 3_000),
      ...compared,
      measure(
        { goal: 'LOG', name: 'commit to cosigned proof, p99 / 2 s', floor: 1, target: 0.5 },
        cosigned.p99 / 2_000,
      ),
      measure({ goal: 'LOG', name: 'mint with the log / without', floor: 0.98, target: 1 }, mint.ratio),
      measure({ goal: 'LOG', name: 'proof at 10,000,000 entries / 2 kB', floor: 1, target: 0.9 }, bytes / 2_000),
    ],
    details: [
      `${Math.round(rate)} entries a second, of ${entryCount}; Tessera: ${typeof tessera === 'number' ? Math.round(entryCount / tessera) : `not measured (${tessera.missing})`}.`,
      `From the commit of an entry to a proof with 2 of 3 cosignatures, at ${cosigned.perSecond} entries a second: p50 ${Math.round(cosigned.p50)} ms, p99 ${Math.round(cosigned.p99)} ms, of ${cosigned.count}.`,
      `Links a second: ${Math.round(mint.on)} with the log, ${Math.round(mint.off)} without.`,
      `A proof has ${bytes} bytes.`,
    ],
  }
}
