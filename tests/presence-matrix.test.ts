import { constantPresenceOf, deviceGrantType, type Endpoint, type Role } from '@countersign/sdk/contract'
import { expect, it } from 'vitest'
import type { Database } from '../server/src/db/engine.ts'
import { password } from './support/account-rows.ts'
import type { Reply } from './support/ask.ts'
import { describeOnSqlite } from './support/databases.ts'
import { sampled } from './support/full.ts'
import { insertPresence, protect } from './support/presence.ts'
import { type Actor, actors, type Cells, cellsOf, kindOf, variants } from './support/presence-matrix.ts'
import { call, createTargets, rows, type Target } from './support/tour.ts'
import { shareWorld, type World } from './support/world.ts'

interface Credential {
  /** Undefined: nothing was gained. */
  apiKey?: string
  headers?: Record<string, string>
}

type Targets = Awaited<ReturnType<typeof createTargets>>['targets']

const undone = new Error('undone')

/** While it tries, all writes of requests are undone: no call changes what the next one finds. */
const createUndoing = () => {
  const state = { isTrying: false }
  const undoing =
    (transaction: Database['transaction']): Database['transaction'] =>
    async (work, options) => {
      if (!state.isTrying) return transaction(work, options)
      const done: { value?: Awaited<ReturnType<typeof work>> } = {}
      await transaction(async (tx) => {
        done.value = await work(tx)
        throw undone
      }, options).catch((error) => {
        if (error !== undone) throw error
      })
      return done.value as Awaited<ReturnType<typeof work>>
    }
  const wrapDatabase = (database: Database): Database => ({
    ...database,
    transaction: undoing(database.transaction),
    quickTransaction: undoing(database.quickTransaction),
  })
  return { state, wrapDatabase }
}

const tokenIn = (link: string | undefined) => new URL(link ?? '').searchParams.get('token') ?? ''

/** A company with one of everything, with its members and the thieves who each stole one thing. */
const createCompany = async (world: World, name: string, { isProtected }: { isProtected: boolean }) => {
  const { owner, targets } = await createTargets(world, name)
  const { email } = await owner.client.providers.me()
  const mailbox = await world.session(owner)
  const signIn = () => world.anyone.auth.login({ email: email ?? '', password })
  const head = await signIn()
  const asOwner = world.client(head.api_key)
  const joinAs = async (role: Role, who: string = role) => {
    const address = `${who}@${name}.example`
    await asOwner.members.invite({ email: address, role })
    return world.anyone.members.accept({ token: tokenIn((await world.mails(address)).at(-1)?.link), password })
  }
  const [admin, publisher, responder, viewer, gone] = [
    await joinAs('admin'),
    await joinAs('publisher'),
    await joinAs('responder'),
    await joinAs('viewer'),
    await joinAs('admin', 'gone'),
  ]
  const idOf = async (token: string) =>
    (await world.client(token).members.list()).members.find(({ is_you }) => is_you)?.person_id ?? ''
  const made = await world
    .client(publisher.api_key)
    .keys.create({ name: 'own', scopes: ['read', 'models', 'links', 'deployments'] })
  await asOwner.members.remove(await idOf(gone.token))
  const job = await world.anyone.publishers.exchange(targets['publishers.exchange'].body as never)
  const stolen = await signIn()
  const { device_code, user_code } = await world.anyone.devices.begin({ name: 'build-7' })
  await world.client(stolen.token).devices.approve({ user_code })
  const device = await world.anyone.devices.token({ grant_type: deviceGrantType, device_code })

  const people = { owner: head, admin, publisher, responder, viewer }
  const present: Partial<Record<Actor, Credential>> = {}
  for (const [role, { token }] of Object.entries(people) as [Role, typeof head][]) {
    const person_id = await idOf(token)
    const session_id = (await world.client(token).auth.sessions()).sessions.find((each) => each.is_current)?.id ?? ''
    if (isProtected) await protect(world, person_id)
    present[role] = { apiKey: token, ...(isProtected && (await insertPresence(world, { session_id, person_id }))) }
  }
  if (isProtected) {
    await world.anyone.auth.forgotPassword({ email: email ?? '' })
    const token = tokenIn((await world.mails(email ?? '')).at(-1)?.link)
    await expect(world.anyone.auth.setPassword({ token, password: 'another heron at dusk' })).rejects.toMatchObject({
      code: 'presence_required',
    })
  }
  const credentials = {
    ...present,
    'stolen session': { apiKey: stolen.token },
    'stolen password': { apiKey: (await signIn()).token },
    'stolen mailbox': isProtected ? {} : { apiKey: mailbox.token },
    'full key': { apiKey: owner.apiKey },
    'key of a publisher': { apiKey: made.api_key },
    'CI job': { apiKey: job.access_token },
    'device session': { apiKey: device.access_token },
    'removed member': { apiKey: gone.token },
  } as Record<Actor, Credential>
  return { targets, credentials }
}

const refusals = ['unauthorized', 'forbidden', 'presence_required', 'sign_in_again', 'sign_in_required']

/** The outcome of a call: rejected because of the caller, staged, passed on to the endpoint, or not tried. */
const letterOf = (reply: Reply | undefined) => {
  if (reply === undefined) return '.'
  const { body } = reply
  if (body.code === 'change_staged') return 's'
  return refusals.includes(body.code as string) ? '-' : 'a'
}

describeOnSqlite('every endpoint, with each thing that can be stolen and each role', (engine) => {
  const { state, wrapDatabase } = createUndoing()
  const shared = shareWorld({ engine, wrapDatabase })

  it('treats protected and unprotected companies as the table says', async () => {
    const world = shared()
    const companies = {
      unprotected: await createCompany(world, 'acme', { isProtected: false }),
      protected: await createCompany(world, 'northwind', { isProtected: true }),
    }
    state.isTrying = true
    let turn = 0
    /** In a protected company every actor tries every write; elsewhere each tries every other endpoint, except in a full run. */
    const triersOf = (company: keyof typeof companies, row: Endpoint) =>
      company === 'protected' && row.method !== 'GET' ? actors : sampled(actors, 2, turn++)
    const lettersOf = async (
      company: keyof typeof companies,
      row: Endpoint,
      targetOf: (targets: Targets) => Target,
    ) => {
      const { targets, credentials } = companies[company]
      const triers = triersOf(company, row)
      const replies = await Promise.all(
        triers.map((actor) => {
          const { apiKey, headers } = credentials[actor]
          return call(world, row, targetOf(targets), { ...(apiKey && { apiKey }), ...(headers && { headers }) })
        }),
      )
      expect(replies.filter(({ status }) => status === 500).map(({ text }) => text)).toEqual([])
      return actors.map((actor) => letterOf(replies[triers.indexOf(actor)])).join('')
    }
    const found: Record<string, Cells> = {}
    const declared: Record<string, Cells> = {}
    for (const { name, row } of rows) {
      // Reads and what ignores credentials need one database, and the second of these one company.
      if (engine === 'postgres' && (row.method === 'GET' || row.caller === 'public')) continue
      declared[name] = cellsOf(kindOf(name))
      const unprotected = await lettersOf('unprotected', row, (targets) => targets[name])
      found[name] = {
        unprotected,
        protected:
          row.caller === 'public' ? unprotected : await lettersOf('protected', row, (targets) => targets[name]),
      }
    }
    for (const [name, { of, body, kind }] of Object.entries(variants)) {
      const row = rows.find((each) => each.name === of)?.row
      if (!row) throw new Error(`no endpoint ${of}`)
      declared[name] = cellsOf(kind)
      const targetOf = (targets: Targets): Target => ({ ids: targets[of].ids, ...(body && { body }) })
      found[name] = {
        unprotected: await lettersOf('unprotected', row, targetOf),
        protected: await lettersOf('protected', row, targetOf),
      }
    }
    state.isTrying = false
    const masked = ([name, { unprotected, protected: rest }]: [string, Cells]) => {
      const mask = (cells: string, tried: string) =>
        [...cells].map((cell, at) => (tried[at] === '.' ? '.' : cell)).join('')
      const tried = found[name]
      return [
        name,
        { unprotected: mask(unprotected, tried?.unprotected ?? ''), protected: mask(rest, tried?.protected ?? '') },
      ]
    }
    expect(found).toEqual(Object.fromEntries(Object.entries(declared).map(masked)))
  }, 120_000)
})

const dangerous = rows
  .filter(({ row }) => ['needed', 'personal'].includes(constantPresenceOf(row) ?? ''))
  .map(({ name }) => kindOf(name))
  // With credentials of a registered company it only answers that it is registered.
  .filter((kind) => kind !== 'register')

it('lets no thief change anything dangerous in a protected company', () => {
  const kinds = [...dangerous, ...Object.values(variants).map(({ kind }) => kind)].filter((kind) => kind !== 'account')
  expect(kinds.length).toBeGreaterThan(20)
  for (const kind of kinds) expect(cellsOf(kind).protected.slice(0, actors.indexOf('owner')), kind).toMatch(/^[s-]+$/)
})
