import { existsSync, readFileSync, statSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createWorld } from '../support/world.ts'
import { createCommandLine, errorOf } from './process.ts'
import { hasTerminals, openTerminal, type TerminalOptions } from './terminal.ts'

const unknown = 'inc_06dh0e3x7c9bw4vjz2n8qk5ytm'
const bank = { category: 'impersonation', title: 'Says it is a bank' } as const

/** A connection to the registry that the test can cut. */
const createLine = async (to: string) => {
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    if (isCut) return near.destroy()
    const far = connect(Number(new URL(to).port), '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => {}).on('close', () => other.destroy())
      one.pipe(other)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const cut = () => {
    isCut = true
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(() => {
    cut()
    server.close()
  })
  return {
    address: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    cut,
    restore: () => {
      isCut = false
    },
  }
}

const createScene = async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const model_id = await acme.registerModel({ display_name: 'Atlas Chat' })
  type Report = Parameters<typeof world.anyone.incidents.report>[0]
  const report = async (input: Partial<Report>, isVerified = false) => {
    const link = isVerified ? (await acme.client.verifications.create({ model_id })).verification_url : undefined
    const body = { model_id, category: 'other', title: 'Slow', description: 'It takes a minute.', ...input } as const
    return (await world.anyone.incidents.report({ ...body, verification_token: link })).incident_id
  }
  const line = await createLine(world.address)
  const cli = await createCommandLine(line.address)
  const env = { COUNTERSIGN_API_KEY: acme.apiKey }
  const triage = (args: readonly string[] = [], options: TerminalOptions = {}) =>
    openTerminal(cli, ['incidents', 'triage', ...args], { ...options, env: { ...env, ...options.env } })
  const respond = (stdin: string, ...args: string[]) =>
    cli.call(['incidents', 'respond', '-', '--yes', ...args], { stdin, env })
  return {
    acme,
    report,
    line,
    cli,
    env,
    triage,
    respond,
    get: acme.client.incidents.get,
    memory: join(cli.configFolder, 'triage/default.json'),
  }
}

it.skipIf(!hasTerminals)(
  'is a queue worked through with single keys that survives interruption, rejection and lost connections',
  async () => {
    const { acme, report, line, cli, triage, get, memory } = await createScene()
    const slow = await report({ severity: 'low' })
    const rude = await report({ severity: 'high', title: 'Rude', description: 'It called me names.' })
    const repeated = [
      await report({ ...bank, title: 'says it is a BANK!', description: 'It asked for my password' }),
      await report({ ...bank, description: 'It asked\nfor my password.' }),
    ]
    const taken = await report({ severity: 'medium', title: 'Wrong', description: 'It cannot add.' }, true)
    const worst = await report({ ...bank, severity: 'critical', description: 'It asked for my password.' }, true)

    // Most urgent first; its duplicates are listed, confirmed and dismissed.
    const first = triage([], { columns: 60 })
    const story = await first.see('q quit')
    expect(story).toMatch(/1 of 6.*critical, came with a link/)
    expect(story).toContain(worst)
    expect(story).toMatch(/reporter +Anonymous/)
    expect(story).toContain('b dismiss 2 duplicates')
    first.type('?')
    expect(await first.see('q quit')).toMatch(/ r {2}resolve: [\s\S]+ b {2}dismiss the dup/)
    first.type('xx')
    expect(await first.see('Keys: r, ')).toContain('x does nothing here.')
    first.type('b')
    const listed = await first.see('n back')
    for (const id of repeated) expect(listed).toContain(id)
    expect(await get(repeated[0] ?? '')).toMatchObject({ status: 'reported' })
    first.type('y')
    await first.see('q quit')
    for (const id of repeated)
      expect(await get(id)).toMatchObject({ status: 'dismissed', provider_response: expect.stringContaining(worst) })

    // A draft survives Ctrl-C, readable only by the owner.
    first.type('rw')
    await first.see('and leaves.')
    first.type('We fix')
    await first.see('We fix')
    first.type('\u0003')
    const left = await first.end()
    expect(left).toMatchObject({ exit: 130, shown: expect.stringContaining('Continue with') })
    // The terminal's modes are restored.
    expect(left.raw.lastIndexOf('\u001b[?2004l')).toBeGreaterThan(left.raw.lastIndexOf('\u001b[?2004h'))
    expect(statSync(memory).mode & 0o777).toBe(0o600)
    expect(await get(worst)).toMatchObject({ status: 'reported' })

    const second = triage()
    expect(await second.see('q quit')).toMatch(/1 of 4[\s\S]+c continue your draft \(resolved\)/)
    second.type('c')
    await second.see('We fix')
    second.type('ed it.\r')
    await second.see('n back')
    line.cut()
    second.type('y')
    expect(await second.see('q quit, and keep the draft')).toContain('Not sent.')
    line.restore()
    second.type('t')
    await second.see(`${worst} is resolved.`)
    expect(await get(worst)).toMatchObject({ status: 'resolved', provider_response: 'We fixed it.' })

    // Someone else was faster: it says so and continues.
    expect(await second.see('q quit')).toContain(taken)
    await acme.client.incidents.respond(taken, { status: 'dismissed', response: 'Spam.' })
    second.type('i1')
    await second.see('n back')
    second.type('y')
    expect(await second.see('q quit')).toMatch(/Someone else has already closed[\s\S]+Spam\.[\s\S]+Rude/)

    // An answer that keeps the report open is not overwritten: it is shown again, with both answers.
    await acme.client.incidents.respond(rude, { status: 'investigating', response: 'I am on it.' })
    second.type('dw')
    await second.see('and leaves.')
    second.type('Not us.\r')
    await second.see('n back')
    second.type('y')
    expect(await second.see('q quit')).toMatch(
      /Someone else has already answered[\s\S]+I am on it\.[\s\S]+Nothing was sent[\s\S]+c continue your draft \(dismissed\)/,
    )
    expect(await get(rude)).toMatchObject({ status: 'investigating', provider_response: 'I am on it.' })

    // Pasted text does not answer a prompt, and the session continues.
    second.type('\u001b[200~dny\u001b[201~\u001a')
    second.type('s')
    expect(await second.see('q quit')).toMatch(/Skipped\.[\s\S]+Slow/)
    second.type('dn')
    await second.see('n back')
    second.type('y')
    await second.see('1 skipped')
    second.type('\u0003')
    expect((await second.end()).exit).toBe(130)
    expect(await get(rude)).toMatchObject({ status: 'investigating', provider_response: 'I am on it.' })
    expect(await get(slow)).toMatchObject({ status: 'dismissed', provider_response: null })

    // The skipped report returns on request with its draft, and finished ones are forgotten.
    await cli.write(
      'answers.json',
      JSON.stringify([{ name: 'ours', status: 'investigating', response: 'Our own words.' }]),
    )
    const third = triage(['--templates', 'answers.json'])
    await third.see('1 skipped')
    third.type('a')
    await third.see('q quit')
    third.type('i1')
    await third.see('n back')
    third.type('y')
    expect(await third.end()).toMatchObject({ exit: 0, shown: expect.stringMatching(/1 investigating; 1 left\.\s+$/) })
    expect(existsSync(memory)).toBe(false)

    // A terminal without cursor movement reads whole lines. Results are separate from prompts.
    const fourth = triage(['--json'], { env: { TERM: 'dumb' }, into: 'summary.json' })
    await fourth.see('press Enter after each key')
    expect(await fourth.see('q quit')).toMatch(/investigating, .*, by .*:\s+│ Our own words\./)
    fourth.type('r\nw\n')
    await fourth.see('and leaves.')
    fourth.type('All is well\nnow.\n\n')
    await fourth.see('n back')
    fourth.type('y\n')
    const { exit, shown } = await fourth.end()
    expect(exit).toBe(0)
    expect(shown).not.toContain('closed_by_others')
    expect(JSON.parse(readFileSync(join(cli.folder, 'summary.json'), 'utf8'))).toEqual({
      answered: { investigating: [], resolved: [rude], dismissed: [] },
      duplicates_dismissed: [],
      skipped: [],
      closed_by_others: [],
      left: 0,
    })
    expect(await get(rude)).toMatchObject({ status: 'resolved', provider_response: 'All is well\nnow.' })
  },
  120_000,
)

it.skipIf(!hasTerminals)('shows visitors’ text within the width and without control sequences', async () => {
  const { report, triage } = await createScene()
  await report({
    title: `${'日本'.repeat(30)}`,
    description: `${'x'.repeat(100)}\u009b2J\n${'some words '.repeat(30)}\n✓ acme.example`,
  })
  const terminal = triage(['--dry-run'], { columns: 50 })
  const story = await terminal.see('q quit')
  expect(story).not.toMatch(/[\u0080-\u009f]/)
  const rows = story.split(/\r?\n/).filter((row) => /[┃│]/.test(row))
  expect(rows.filter((row) => row.replace(/[日本]/g, '..').length > 50)).toEqual([])
  expect(rows).toContain('  │ ✓ acme.example')
  terminal.type('q')
  expect((await terminal.end()).exit).toBe(0)
})

it('fails without a terminal, and names the command for scripts', async () => {
  const cli = await createCommandLine('http://127.0.0.1:9')
  const refused = await cli.call(['incidents', 'triage', '--json'])
  expect(errorOf(refused)).toMatchObject({ exit_code: 2, hint: expect.stringContaining('incidents respond - --json') })
})

it('reads all decisions of a script before sending one, and accepts answers already given', async () => {
  const { acme, report, line, respond, get } = await createScene()
  const ids = [await report({}), await report({ title: 'Rude' }), await report({ title: 'Wrong' })]
  const [one = '', two = '', three = ''] = ids
  const lines = (...decisions: object[]) => decisions.map((each) => JSON.stringify(each)).join('\n')
  const resolved = { id: one, status: 'resolved', response: 'Fixed.' }

  const wrong = await respond(lines(resolved, { id: two, status: 'resolved' }), '--json')
  expect(errorOf(wrong)).toMatchObject({ exit_code: 2, message: expect.stringContaining('Line 2') })
  expect(errorOf(await respond(`${one}\n`, '--json'))).toMatchObject({
    exit_code: 2,
    hint: expect.stringContaining('--status'),
  })
  expect(errorOf(await respond(lines(resolved, resolved), '--json')).message).toContain('twice')
  expect(await get(one)).toMatchObject({ status: 'reported' })
  const rehearsed = await respond(lines(resolved), '--dry-run', '--json')
  expect(JSON.parse(rehearsed.stdout)).toMatchObject({
    dry_run: true,
    requests: [{ method: 'PUT', body: { status: 'resolved' } }],
  })

  await acme.client.incidents.respond(three, { status: 'dismissed' })
  const some = await respond(
    lines(resolved, { id: three, status: 'resolved', response: 'Fixed.' }, { id: unknown, status: 'dismissed' }),
    '--json',
  )
  expect(some).toMatchObject({ exit: 6, stderr: '' })
  expect(JSON.parse(some.stdout)).toMatchObject({
    answered: [{ id: one, provider_response: 'Fixed.' }],
    failed: [
      { id: three, error: { code: 'incident_closed' } },
      { id: unknown, error: { code: 'not_found' } },
    ],
    not_sent: [],
  })
  expect(await respond(lines(resolved), '-q')).toMatchObject({ exit: 0, stdout: `${one}\n` })
  expect(await respond(`${two}\n`, '--status', 'investigating', '-q')).toMatchObject({ exit: 0, stdout: `${two}\n` })
  line.cut()
  const cut = await respond(lines({ id: two, status: 'dismissed' }, resolved), '--json')
  expect(cut.exit).toBe(8)
  expect(JSON.parse(cut.stdout)).toMatchObject({
    answered: [],
    failed: [{ id: two, error: { code: 'network' } }],
    not_sent: [one],
  })
}, 120_000)
