import { expect, it } from 'vitest'
import { ask } from '../support/ask.ts'
import { describeOnSqlite } from '../support/databases.ts'
import { ada, createDesk, signedUp, signUp } from '../support/desk.ts'
import { statementsOf } from '../support/statements.ts'
import { createWorld, type World } from '../support/world.ts'

const addresses = {
  unknown: 'nobody@acme.example',
  pending: 'waiting@acme.example',
  known: 'ada@acme.example',
  'known, without a password': 'bob@acme.example',
} as const

const questions = [
  ['auth/email/register', (email: string) => ({ ...ada, email })],
  ['providers/send-verification', (email: string) => ({ email, domain: 'acme.example' })],
  ['auth/password/forgot', (email: string) => ({ email })],
  ['auth/email/login', (email: string) => ({ email, password: 'not this heron' })],
] as const

/** A registry with a known address, a pending one, and one that signs in with another service. */
const prepare = async (world: World) => {
  await signedUp(world)
  await signUp(world, { ...ada, email: addresses.pending })
  await signedUp(world, {
    ...ada,
    email: addresses['known, without a password'],
    website: 'https://northwind.example',
  })
  await world.database.transaction((tx) =>
    tx
      .deleteFrom('passwords')
      .where('person_id', '=', (people) =>
        people.selectFrom('people').select('id').where('email', '=', addresses['known, without a password']),
      )
      .execute(),
  )
}

describeOnSqlite('the existence of an account', (engine) => {
  it.each(questions)('shows neither in the response of %s nor in its database statements', async (path, bodyOf) => {
    const world = await createWorld({ engine })
    await prepare(world)
    const shown = async (email: string) => {
      let said: unknown
      const statements = await statementsOf(async () => {
        const { status, body } = await createDesk(world).post(path, bodyOf(email))
        said = { status, ...body, request_id: undefined, confirmation_code: typeof body.confirmation_code }
      })
      return { said, statements }
    }
    const unknown = await shown(addresses.unknown)
    expect(unknown.statements.length).toBeGreaterThan(0)
    for (const [name, email] of Object.entries(addresses)) expect(await shown(email), name).toEqual(unknown)
  })

  it.each(questions.slice(0, 3))(
    'does not show when %s is repeated until the limit of emails',
    async (path, bodyOf) => {
      const world = await createWorld({ engine })
      await prepare(world)
      const works: (readonly string[])[] = []
      for (const email of [addresses.unknown, addresses.known])
        for (let time = 0; time < 6; time++)
          works.push(await statementsOf(() => createDesk(world).post(path, bodyOf(email))))
      for (const work of works) expect(work).toEqual(works[0])
      const mails = await world.mails(addresses.known)
      // The registration's email, and at most three within an hour.
      expect(mails.length).toBeLessThanOrEqual(4)
      const rows = await world.database.read
        .selectFrom('mails')
        .select(['recipient', 'body_text', 'body_html', 'due_at'])
        .execute()
      const held = rows.filter(({ recipient }) => recipient === '')
      expect(held.length).toBeGreaterThan(0)
      for (const row of held) expect(row).toEqual({ recipient: '', body_text: '', body_html: '', due_at: null })
    },
  )

  it('is limited per mailbox in all its spellings: three emails an hour', async () => {
    const world = await createWorld({ engine })
    const spellings = [
      'eve@acme.example',
      'ＥVE@acme.example',
      'ｅve@acme.example',
      'eｖe@acme.example',
      'evｅ@ＡCME.example',
      'eve@acme。example',
    ]
    for (const email of spellings) {
      const { status } = await createDesk(world).post('auth/email/register', { ...ada, email })
      expect(status, email).toBe(200)
    }
    const mails = await world.mails()
    expect(mails.map(({ to }) => to)).toEqual(Array.from({ length: 3 }, () => 'eve@acme.example'))
  })

  it('shows in no header and no cookie', async () => {
    const world = await createWorld({ engine })
    await prepare(world)
    const shapeOf = async (path: string, body: object) => {
      const { headers } = await ask(`${world.address}/api/v1/${path}`, { method: 'POST', body })
      const cookies = headers['set-cookie']?.map((cookie) => cookie.replace(/=[^;]*/, '').replace(/Expires=[^;]*/, ''))
      return { cookies, names: Object.keys(headers).sort(), length: headers['content-length'] }
    }
    for (const [path, bodyOf] of questions)
      expect(await shapeOf(path, bodyOf(addresses.known)), path).toEqual(await shapeOf(path, bodyOf(addresses.unknown)))
  })
})
