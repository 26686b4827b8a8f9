import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { run } from '../../cli/src/run.ts'
import { createTestWorld } from '../../cli/src/test-world.ts'
import { describeOnSqlite } from '../support/databases.ts'
import { protect } from '../support/presence.ts'
import { shareWorld, type World } from '../support/world.ts'

/** A machine with a terminal, whose browser writes down the address that it opens. */
const createMachine = async (world: World) => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-device-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const [browser, opening] = [join(folder, 'browser'), join(folder, 'opened')]
  await writeFile(browser, `#!/bin/sh\nprintf %s "$1" > '${opening}'\n`)
  chmodSync(browser, 0o755)
  const env = { HOME: folder, COUNTERSIGN_CONFIG_DIR: folder, COUNTERSIGN_API_URL: world.address, BROWSER: browser }
  /** `answer` gets the code once the command waits. */
  const call = async (
    args: readonly string[],
    { env: more, answer }: { env?: Record<string, string>; answer?: (code: string) => Promise<unknown> } = {},
  ) => {
    const written = { out: '', err: '' }
    let answered: Promise<unknown> | undefined
    const machine = createTestWorld({
      env: { ...env, ...more },
      cwd: folder,
      stdin: { isTerminal: true, read: async () => new Uint8Array() },
      stdout: {
        isTerminal: false,
        write: (text) => {
          written.out += text
        },
      },
      stderr: {
        isTerminal: true,
        columns: 80,
        write: (text) => {
          written.err += text
          if (written.err.includes('Waiting for up to')) answered ??= answer?.(codeIn(written.err))
        },
      },
      // Without the seconds between polls.
      fetch: async (url, init) => {
        const response = await fetch(url, init)
        if (!String(url).endsWith('/auth/device')) return response
        return Response.json({ ...((await response.json()) as object), interval: 0.05 })
      },
    })
    const exit = await run(args, machine)
    await answered
    return { exit, ...written }
  }
  return { call, opened: () => (existsSync(opening) ? readFileSync(opening, 'utf8') : '') }
}

const codeIn = (text: string) => /Your code: {2}(\S+)/.exec(text)?.[1] ?? ''

describeOnSqlite('signing a machine in', () => {
  const shared = shareWorld()

  it('opens the browser, and uses and ends the session that was approved there', async () => {
    const world = shared()
    const acme = await world.provider('acme')
    const { client } = await world.session(acme)
    const { call, opened } = await createMachine(world)
    const { exit, err } = await call(['auth', 'login'], {
      answer: (user_code) => client.devices.approve({ user_code }),
    })
    expect(exit).toBe(0)
    await expect.poll(opened).toBe(`${world.publicUrl}/device#${codeIn(err)}`)
    expect(err).toContain('The session is saved in ')
    expect((await call(['whoami'])).out).toMatch(/scopes +what your role allows/)

    // Another company of the person needs no password.
    const contoso = await world.provider('contoso-devices')
    await world.client((await world.session(contoso)).api_key).members.invite({
      email: 'acme@acme.example',
      role: 'viewer',
    })
    const invitation = (await world.mails('acme@acme.example')).at(-1)?.link ?? ''
    await client.members.accept({ token: new URL(invitation).searchParams.get('token') ?? '' })
    const used = await call(['providers', 'use', contoso.id])
    expect(used).toMatchObject({ exit: 0, err: expect.stringContaining('The session is saved in ') })
    expect((await call(['whoami', '--json'])).out).toContain(contoso.id)
    expect((await call(['providers', 'use', 'default'])).exit).toBe(0)

    const person_id = (await client.members.list()).members.find(({ is_you }) => is_you)?.person_id ?? ''
    await protect(world, person_id)
    const staged = await call(['keys', 'create', 'ci'])
    expect(staged).toMatchObject({ exit: 10, out: '' })
    const [change = ''] = /chg_\w+/.exec(staged.err) ?? []
    const page = `${world.publicUrl}/dashboard?tab=settings&section=changes&change=${change}`
    expect(staged.err).toContain(page)
    const show = ['changes', 'show', change, '--wait']
    expect(await call([...show, '--for', '0'])).toMatchObject({ exit: 10, err: expect.stringContaining(page) })
    await client.changes.reject(change)
    expect((await call(show)).exit).toBe(1)

    const count = (await client.auth.sessions()).sessions.length
    expect((await call(['auth', 'logout'])).exit).toBe(0)
    expect((await client.auth.sessions()).sessions).toHaveLength(count - 1)
  })

  it('exits 4 if the person denies it, and names the other ways without a terminal', async () => {
    const world = shared()
    const contoso = await world.provider('contoso')
    const { client } = await world.session(contoso)
    const { call } = await createMachine(world)
    const denied = call(['auth', 'login'], { answer: (user_code) => client.devices.deny({ user_code }) })
    expect(await denied).toMatchObject({ exit: 4, err: expect.stringContaining('was rejected') })
    expect(await call(['auth', 'login'], { env: { CI: 'true' } })).toMatchObject({
      exit: 4,
      err: expect.stringMatching(/only a terminal can show a code[\s\S]*--api-key-stdin/),
    })
  })
})
