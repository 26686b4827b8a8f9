// Measures the cost of a commit: 32 writers wait for their rows, which share commits or have one each.
import { randomBytes } from 'node:crypto'
import { createGroupCommit } from '../../server/src/db/group-commit.ts'
import { openSqlite } from '../../server/src/db/sqlite.ts'
import { createNewId } from '../../server/src/ids.ts'
import { verificationColumns } from '../../server/src/verifications/mint-store.ts'
import { ratioOfRounds } from './goal.ts'
import { connections } from './processes.ts'
import type { World } from './world.ts'

const rounds = 7
const roundMs = 500

/** Rows of about the size of a link's row, for the providers in turn. */
const createRow = (newId: ReturnType<typeof createNewId>) => {
  const owners = Array.from({ length: 1_000 }, () => newId('prv'))
  let number = 0
  return () => {
    const issued_at = Date.now()
    return {
      provider_id: owners[number++ % owners.length] ?? '',
      id: newId('vrf'),
      model_id: newId('mdl'),
      deployment_id: newId('dep'),
      binding: 'proxy' as const,
      kid: 'k'.repeat(43),
      code_key: `00${randomBytes(22).toString('base64url')}`,
      token_digest: randomBytes(32).toString('base64url'),
      issued_at,
      expires_at: issued_at + 900_000,
      snapshot_id: 's'.repeat(32),
      api_key_id: newId('key'),
      user_fp: randomBytes(32).toString('base64url'),
      challenge: 'blue heron',
      origin: 'https://chat.acme.example',
      prompt_hash: '9f2c41d7'.repeat(8),
      metadata: '{"region":"eu-north","plan":"team"}',
      opened_at: null,
      workload_id: null,
      workload: null,
      nonce: null,
    }
  }
}

/** Rows per second with 32 writers. Each writes its next row when the previous one is durable. */
const measureRate = async (insert: () => Promise<unknown>): Promise<number> => {
  const started = performance.now()
  const deadline = started + roundMs
  let count = 0
  const writer = async () => {
    while (performance.now() < deadline) {
      await insert()
      count++
    }
  }
  await Promise.all(Array.from({ length: connections }, writer))
  return (count / (performance.now() - started)) * 1_000
}

/** How many times more rows become durable in the same time if they share commits. */
export const measureCommits = async (world: World) => {
  const database = openSqlite({ file: world.databaseOf(world.copy('commits')) })
  const waiting = openSqlite({ file: world.databaseOf(world.copy('commits-alone')), synchronous: 'FULL in the commit' })
  try {
    const group = createGroupCommit(database.appender('verifications', verificationColumns))
    const append = waiting.appender('verifications', verificationColumns)
    const row = createRow(createNewId(Date.now))
    const shared: number[] = []
    const alone: number[] = []
    for (let round = 0; round < rounds; round++) {
      shared.push(await measureRate(() => group.insert(row())))
      alone.push(await measureRate(() => append([row()])))
    }
    const middle = (rates: readonly number[]) => [...rates].sort((a, b) => a - b)[rates.length >> 1]?.toFixed(0)
    return {
      ratio: ratioOfRounds(shared, alone),
      detail: `Durable rows per second, 32 writers: ${middle(shared)} sharing commits, ${middle(alone)} with one each.`,
    }
  } finally {
    await Promise.all([database.close(), waiting.close()])
  }
}
