import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { describeOnSqlite } from '../support/databases.ts'
import { runServer } from '../support/server-process.ts'
import { createWorld } from '../support/world.ts'

describeOnSqlite('the operator’s domains command', (engine) => {
  it('lists and shows proven domains, and ends a proof with an event and an email', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    await world.provider('rival', { isVerified: false, website: 'https://acme.example' })
    await world.database.transaction((tx) =>
      tx.updateTable('providers').set({ email_verified_at: 1 }).where('id', '=', acme.id).execute(),
    )
    const minted = await acme.client.verifications.create({ model_id: await acme.registerModel() })
    const environment = { DATABASE_URL: world.databaseUrl, KEY_ENCRYPTION_KEY: randomBytes(32).toString('hex') }
    const run = (...args: string[]) => runServer(['domains', ...args], environment)

    expect((await run('list')).stdout).toMatch(
      new RegExp(`^${acme.id} {2}primary {2}acme\\.example\n {2}proven by dns, proven .{57}\n {2}".*"\n$`),
    )
    expect((await run('show', 'ACME.example')).stdout.match(/^prv_/gm)).toHaveLength(2)
    expect(await run('end', 'acme.example')).toMatchObject({ code: 0, stdout: expect.stringContaining('has ended') })
    expect((await world.anyone.verifications.get(minted.verification_url)).result).toBe('not_verified')
    expect((await acme.client.account.events({ action: 'domain.blocked' })).events).toMatchObject([
      { actor: 'operator' },
    ])
    // The command uses the machine's clock instead of the world's, so the email is due later.
    const mails = await world.database.read.selectFrom('mails').select(['recipient', 'subject']).execute()
    expect(mails).toEqual([{ recipient: 'acme@acme.example', subject: 'Your domain is no longer verified' }])
    expect(await run('end', 'acme.example')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No provider has proven'),
    })
    expect(await run('finish')).toMatchObject({ code: 2, stderr: expect.stringContaining('domains end DOMAIN') })
  }, 120_000)
})
