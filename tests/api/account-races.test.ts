import { Agent } from 'node:http'
import { availableParallelism } from 'node:os'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createPasswordHasher } from '../../server/src/auth/hashing.ts'
import { ask } from '../support/ask.ts'
import { ada, askForReset, createDesk, signedUp } from '../support/desk.ts'
import { createHttpBrowser } from '../support/http-browser.ts'
import { createSignInWorld, someone } from '../support/sign-in.ts'
import { createWorld, type World } from '../support/world.ts'

/** Another transaction that lets a test stop requests midway. */
const openBlocker = async ({ databaseUrl }: Pick<World, 'databaseUrl'>) => {
  const [client, watcher] = [databaseUrl, databaseUrl].map(
    (connectionString) => new pg.Client({ connectionString }),
  ) as [pg.Client, pg.Client]
  for (const one of [client, watcher]) {
    await one.connect()
    onTestFinished(() => one.end())
  }
  await client.query('begin')
  // On another connection: inside a transaction the list of connections does not change.
  const waiting = async () => {
    const { rows } = await watcher.query<{ count: string }>(
      'select count(distinct pid) as count from pg_locks where not granted and pid in (select pid from pg_stat_activity where datname = current_database())',
    )
    return Number(rows[0]?.count)
  }
  return {
    run: (sql: string, values: unknown[] = []) => client.query(sql, values),
    /** Waits until this many requests are blocked. */
    untilWaiting: (count: number) => expect.poll(waiting, { timeout: 10_000, interval: 10 }).toBe(count),
    release: () => client.query('commit'),
  }
}

const isSignedIn = (world: Pick<World, 'client'>, token: unknown) =>
  world
    .client(String(token))
    .providers.me()
    .then(
      () => true,
      () => false,
    )

describe('at the same moment, on postgres', () => {
  it('a pending GitHub sign-in does not outlive a new password', async () => {
    const world = await createSignInWorld('postgres')
    const vera = someone('vera', { email: 'ada@acme.example' })
    await world.signIn('github', vera)
    const token = await askForReset(world, vera.email)
    const browser = createHttpBrowser()
    world.sitDown(vera)
    const { token: code } = await world.walk(browser, world.pathOf('github', 'login'))
    // The thread that hashes passwords may take longer to start than a request waits for a lock.
    await createDesk(world).post('auth/email/login', { email: vera.email, password: 'not this heron' })

    const blocker = await openBlocker(world)
    await blocker.run('lock table sessions in share mode')
    const exchange = world.exchange(browser, code)
    await blocker.untilWaiting(1)
    const reset = createDesk(world).post('auth/password/set', { token, password: 'a new heron at noon' })
    await blocker.untilWaiting(2)
    await blocker.release()
    expect((await reset).status).toBe(200)
    const { status, body } = await exchange
    expect(status).toBe(200)
    expect(await isSignedIn(world, body.auth_token)).toBe(false)
    expect(await isSignedIn(world, (await reset).body.token)).toBe(true)
  })

  it('a login does not outlive a new password', async () => {
    const world = await createWorld({ engine: 'postgres' })
    const { post } = await signedUp(world)
    const token = await askForReset(world, ada.email)
    const blocker = await openBlocker(world)
    await blocker.run('lock table sessions in share mode')
    const login = post('auth/email/login', { email: ada.email, password: ada.password })
    await blocker.untilWaiting(1)
    const reset = createDesk(world).post('auth/password/set', { token, password: 'a new heron at noon' })
    await blocker.untilWaiting(2)
    await blocker.release()
    expect((await reset).status).toBe(200)
    expect(await isSignedIn(world, (await login).body.token)).toBe(false)
  })

  it('an ended session can no longer connect a GitHub account', async () => {
    const world = await createSignInWorld('postgres')
    const owner = await world.signIn('google', someone('ada'))
    const started = await world.startLink('github', owner)
    const mallory = someone('mallory')
    world.sitDown(mallory)
    const callback = await world.walkToCallback(owner.browser, started.url)
    const [session] = (await owner.client.auth.sessions()).sessions

    const blocker = await openBlocker(world)
    await blocker.run('update sessions set revoked_at = $1 where id = $2', [world.clock.now(), session?.id])
    const linking = world.walk(owner.browser, callback)
    await blocker.untilWaiting(1)
    await blocker.release()
    expect(await linking).toEqual({ error: 'link_expired' })
    const logins = await world.database.read.selectFrom('identities').select('login').execute()
    expect(logins.map(({ login }) => login)).not.toContain(mallory.login)
  })
})

describe('when more people sign in than can be hashed for', () => {
  it('some get 503 with Retry-After, and all others are answered', async () => {
    const world = await createWorld({ passwords: createPasswordHasher() })
    await signedUp(world)
    // More than can be hashed and queued together.
    const length = 2 * availableParallelism() + 64 + 80
    const agent = new Agent({ keepAlive: true, maxSockets: length })
    onTestFinished(() => agent.destroy())
    const body = { email: ada.email, password: 'not this heron' }
    const login = () => ask(`${world.address}/api/v1/auth/email/login`, { method: 'POST', body, agent })
    const replies = await Promise.all(Array.from({ length }, login))
    const refused = replies.filter(({ status }) => status === 503)
    expect(refused.length).toBeGreaterThan(0)
    for (const { headers, body } of refused) {
      expect(body).toMatchObject({ code: 'unavailable' })
      expect(headers['retry-after']).toMatch(/^\d+$/)
    }
    const others = replies.filter(({ status }) => status !== 503)
    expect(others.length).toBeGreaterThan(60)
    for (const { status } of others) expect(status).toBe(401)
    expect((await login()).status).toBe(401)
  })
})
