import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { createEmptyDatabase } from '../support/databases.ts'
import { expectHonest, startRegistry } from '../support/outage.ts'
import { findPgbouncer, startPgbouncer } from '../support/pgbouncer.ts'

const program = await findPgbouncer()

it.skipIf(!program)(
  'works through PgBouncer in transaction mode (skipped only where PgBouncer is neither installed nor in Debian’s packages)',
  async () => {
    if (!program) return
    const direct = await createEmptyDatabase('postgres')
    const pooler = await startPgbouncer(program, direct)
    onTestFinished(pooler.stop)
    const { mint, get, stop } = await startRegistry({ DATABASE_URL: pooler.urlOf(direct) })
    onTestFinished(stop)
    // More requests at once than server connections, so that each connection serves many clients.
    const minted = await Promise.all(
      Array.from({ length: 60 }, (_, index) => mint(index % 2 === 0 ? {} : { response: 'Oslo' })),
    )
    expect(minted.map(({ status }) => status)).toEqual(minted.map(() => 201))
    const links = minted.map(({ body }) => String(body.verification_url))
    const checked = await Promise.all(links.map((link) => get(`/api/v1/verify/${encodeURIComponent(link)}`)))
    expect(checked.map(({ status }) => status)).toEqual(links.map(() => 200))

    const other = new pg.Client(direct)
    await other.connect()
    onTestFinished(() => other.end())
    await other.query('begin')
    await other.query('lock table verifications in access exclusive mode')
    expectHonest(await mint({ response: 'Oslo' }), 2_500)
    await other.query('rollback')
    expect((await mint({ response: 'Oslo' })).status).toBe(201)
  },
  60_000,
)
