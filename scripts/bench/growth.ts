import { randomBytes } from 'node:crypto'
import Sqlite from 'better-sqlite3'
import { createNewId } from '../../server/src/ids.ts'
import { measure, type Report, ratioOfRounds } from './goal.ts'
import { startLoad } from './processes.ts'
import { describeSamples, rates, runRounds } from './rounds.ts'
import type { World } from './world.ts'

const few = 10_000
const many = 1_000_000

const columns =
  'provider_id, id, model_id, binding, kid, code_key, token_digest, issued_at, expires_at, snapshot_id, api_key_id, user_fp, challenge'

/** Inserts links of earlier days for all providers in turn, in the form that minting writes. */
const fill = (file: string, count: number) => {
  const database = new Sqlite(file)
  database.pragma('synchronous = OFF')
  const models = database.prepare('select provider_id, id from models').all() as { provider_id: string; id: string }[]
  let at = Date.now() - count * 10
  const newId = createNewId(() => at)
  const insert = database.prepare(
    `insert into verifications (${columns}) values (?, ?, ?, 'proxy', ?, ?, ?, ?, ?, ?, ?, ?, 'blue heron')`,
  )
  const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
  const kid = 'k'.repeat(43)
  const snapshot = 's'.repeat(32)
  database.transaction(() => {
    for (let index = 0; index < count; index++) {
      at += 10
      const { provider_id, id } = models[(index * 7) % models.length] ?? { provider_id: '', id: '' }
      // As in real codes, the first two characters encode the time, so that links minted together are adjacent in the index.
      const bucket = Math.floor((index / count) * 1_024)
      const code_key = `${digits[bucket >> 5]}${digits[bucket & 31]}${randomBytes(22).toString('base64url')}`
      const secret = randomBytes(32).toString('base64url')
      insert.run(provider_id, newId('vrf'), id, kid, code_key, secret, at, at + 900_000, snapshot, newId('key'), secret)
    }
  })()
  database.pragma('wal_checkpoint(TRUNCATE)')
  database.close()
}

/** Measures whether minting becomes slower with a hundred times more links. */
export const measureGrowth = async (world: World): Promise<Report> => {
  const load = await startLoad()
  const contenders = []
  try {
    for (const count of [few, many]) {
      const copy = world.copy(`growth-${count}`)
      fill(world.databaseOf(copy), count)
      const server = await world.startRegistry(copy)
      contenders.push({
        server: { ...server, name: `${count.toLocaleString('en')} links` },
        file: world.mintRequests,
        status: 201,
      })
    }
    const samples = await runRounds(load, contenders)
    const [small, large] = samples.map(rates)
    return {
      measured: [
        measure(
          { goal: 'G6', name: 'mint with 1 M stored links / with 10 k', floor: 0.85, target: 0.95 },
          ratioOfRounds(large ?? [], small ?? []),
        ),
      ],
      details: describeSamples(contenders, samples),
    }
  } finally {
    await Promise.all([load.stop(), ...contenders.map(({ server }) => server.kill())])
  }
}
