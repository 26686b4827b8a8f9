import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { contract } from '@countersign/sdk/contract'
import { describe, expect, it } from 'vitest'
import { createWorld } from '../support/world.ts'
import { createQuickCommandLine } from './in-process.ts'
import { errorOf } from './process.ts'

const about = [
  '--category',
  'impersonation',
  '--title',
  'Says it is a bank',
  '--description',
  'It asked for my password.',
]
/** Two of its letters are Cyrillic. */
const lookalike = '\u043epen\u0430i.com'
const unknown = '06dh0e3x7c9bw4vjz2n8qk5ytm'
const addresses = ['--reference-url', `https://www.${lookalike}/a`, '--screenshot-url', `https://www.${lookalike}/b`]
const nobody = 'http://127.0.0.1:9'

const createShell = async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const model_id = await acme.registerModel({ display_name: 'Atlas Chat', api_model_identifier: 'atlas' })
  const cli = await createQuickCommandLine(world.address)
  const env = { COUNTERSIGN_API_KEY: acme.apiKey }
  const own = (...args: string[]) => cli.call(args, { env })
  const ownJson = async (...args: string[]) =>
    JSON.parse((await own(...args, '--json')).stdout) as Record<string, unknown>
  return { world, acme, model_id, cli, own, ownJson }
}

describe('incidents on the command line', () => {
  it('are reported without a key, and answered with one; the JSON follows the contract', async () => {
    const { world, acme, model_id, cli, own, ownJson } = await createShell()
    const { verification_url } = await acme.client.verifications.create({ model_id })
    const verified = contract.incidents.report.response.parse(
      await cli.json('incidents', 'report', '--link', verification_url, ...about),
    )
    expect(verified.is_verified_report).toBe(true)
    const bare = contract.incidents.report.response.parse(
      await cli.json('incidents', 'report', '--model', model_id, ...about, ...addresses),
    )

    const list = contract.incidents.list.response.parse(await ownJson('incidents', 'list'))
    expect(list.incidents.map(({ id }) => id)).toEqual([bare.incident_id, verified.incident_id])
    expect((await own('incidents', 'list', '-q')).stdout).toBe(`${bare.incident_id}\n${verified.incident_id}\n`)
    expect((await own('incidents', 'list')).stdout).toMatch(
      /^ID +STATUS .*\n.*impersonation +no +“Atlas Chat” .*“Says it is a bank”\n/,
    )
    const shown = await own('incidents', 'show', bare.incident_id)
    expect(shown.stdout).toMatch(/reporter +Anonymous/)
    expect(shown.stdout).toMatch(/^title +“Says it is a bank”\n/)
    expect(shown.stdout).toContain('  │ It asked for my password.\n')
    expect(shown.stdout).toMatch(/reference +https:\/\/www\.xn--peni-73d4f\.com\/a\n/)
    expect(shown.stdout).toMatch(/screenshot +https:\/\/www\.xn--peni-73d4f\.com\/b\n/)
    expect(shown.stdout).not.toContain(lookalike)

    const closed = await ownJson('incidents', 'respond', bare.incident_id, '--status', 'dismissed', '--yes')
    expect(contract.incidents.respond.response.parse(closed)).toEqual(await acme.client.incidents.get(bare.incident_id))
    expect(
      contract.incidents.list.response.parse(await ownJson('incidents', 'list', '--status', 'reported')).incidents,
    ).toHaveLength(1)
    expect(
      contract.incidents.list.response.parse(await ownJson('incidents', 'list', '--severity', 'low')),
    ).toMatchObject({
      incidents: [],
      total: 0,
    })
    const again = await own('incidents', 'respond', bare.incident_id, '--status', 'investigating', '--json')
    expect(errorOf(again)).toMatchObject({ code: 'incident_closed', exit_code: 6 })
    expect(
      errorOf(await cli.call(['incidents', 'report', '--link', verification_url, ...about, '--json'])),
    ).toMatchObject({
      code: 'already_reported',
      exit_code: 6,
    })
    expect(await world.anyone.models.communityStats(model_id)).toMatchObject({ unresolved_incidents: 1 })
  })

  it.each([
    { name: 'a missing target', args: ['report', ...about], exit: 2, message: '--link' },
    {
      name: 'a missing title',
      args: ['report', '--link', 'x', '--category', 'other'],
      exit: 2,
      message: '--title, --description',
    },
    {
      name: 'an unknown category',
      args: ['report', '--link', 'x', ...about, '--category', 'rude'],
      exit: 2,
      message: 'rude',
    },
    { name: 'the caller’s own identifier', args: ['report', '--model', 'atlas', ...about], exit: 2, message: 'mdl_' },
    { name: 'an answer without a status', args: ['respond', `inc_${unknown}`], exit: 2, message: '--status' },
    {
      name: 'a resolution without a message',
      args: ['respond', `inc_${unknown}`, '--status', 'resolved'],
      exit: 2,
      message: '--message',
    },
    { name: 'an invalid incident ID', args: ['show', 'mdl_1'], exit: 2, message: 'inc_' },
    { name: 'no key', args: ['list'], exit: 4, message: 'API key' },
  ])('exit $exit for $name without a request', async ({ args, exit, message }) => {
    const cli = await createQuickCommandLine(nobody)
    const outcome = await cli.call(['incidents', ...args, '--json'])
    expect(errorOf(outcome)).toMatchObject({ exit_code: exit, message: expect.stringContaining(message) })
  })

  it('exit 3 for an invalid link, and 5 for a missing record', async () => {
    const { cli, own } = await createShell()
    const report = async (...named: string[]) =>
      errorOf(await cli.call(['incidents', 'report', ...named, ...about, '--json']))
    expect(await report('--link', 'W904-2CKW-GDNC-X7S1')).toMatchObject({ code: 'link_unknown', exit_code: 3 })
    expect(await report('--model', `mdl_${unknown}`)).toMatchObject({ code: 'not_found', exit_code: 5 })
    expect(await report('--model', `mdl_${unknown}`, '--reference-url', 'javascript:alert(1)')).toMatchObject({
      message: expect.stringContaining('--reference-url'),
      exit_code: 2,
    })
    expect((await own('incidents', 'show', `inc_${unknown}`)).exit).toBe(5)
  })

  it('take no description from a project file, and send nothing with --dry-run', async () => {
    const cli = await createQuickCommandLine(nobody)
    await cli.write(
      '.countersign.json',
      JSON.stringify({ description: 'A small model for chat', display_name: 'Tiny' }),
    )
    const missing = await cli.call(['incidents', 'report', '--link', 'x', '--category', 'other', '--json'])
    expect(errorOf(missing).message).toContain('--title, --description')
    expect(errorOf(missing).hint).not.toContain('.countersign.json')
    expect(
      await cli.json('incidents', 'report', '--link', 'x', ...about, '--email', 'me@home.example', '--dry-run'),
    ).toEqual({
      dry_run: true,
      method: 'POST',
      url: `${nobody}/api/v1/incidents/report`,
      body: {
        verification_token: 'x',
        category: 'impersonation',
        title: 'Says it is a bank',
        description: 'It asked for my password.',
        reporter_email: 'me@home.example',
      },
    })
  })
})

describe('keys on the command line', () => {
  it('are created, listed and revoked; a key is shown once', async () => {
    const { acme, cli, own, ownJson } = await createShell()
    const answer = await ownJson(
      'keys',
      'create',
      'CI',
      '--scope',
      'links',
      '--scope',
      'read',
      '--expires-in-days',
      '90',
    )
    const made = contract.keys.create.response.parse(answer)
    expect(made).toMatchObject({ name: 'CI', scopes: ['links', 'read'] })
    const listed = contract.keys.list.response.parse(await ownJson('keys', 'list'))
    expect(listed.map(({ id }) => id).sort()).toEqual([acme.keyId, made.id].sort())
    const table = await own('keys', 'list')
    expect(table.stdout).toMatch(/“CI” +active +links, read +never +csk_/)
    expect(table.stdout).not.toContain(made.api_key)
    const quiet = await own('keys', 'create', 'Pipe', '-q', '--scope', 'full')
    const piped = { COUNTERSIGN_API_KEY: quiet.stdout.trim() }
    expect((await cli.call(['whoami'], { env: piped })).exit).toBe(0)

    expect(contract.keys.revoke.response.parse(await ownJson('keys', 'revoke', made.id, '--yes'))).toMatchObject({
      is_active: false,
    })
    expect((await cli.call(['incidents', 'list'], { env: { COUNTERSIGN_API_KEY: made.api_key } })).exit).toBe(4)
    expect((await own('keys', 'list')).stdout).toMatch(/“CI” +revoked/)
    expect((await own('keys', 'revoke', `key_${unknown}`, '--yes')).exit).toBe(5)
  })

  it('that leaked end their links and suspend their changes, until each is confirmed or withdrawn', async () => {
    const { world, acme, model_id, own, ownJson } = await createShell()
    const made = contract.keys.create.response.parse(await ownJson('keys', 'create', 'Leaked', '--scope', 'full'))
    const thief = world.client(made.api_key)
    const { token } = await thief.verifications.create({ model_id })
    const deployments = [
      await thief.deployments.register({ spki_fingerprint: 'ab'.repeat(32) }),
      await thief.deployments.register({ spki_fingerprint: 'cd'.repeat(32) }),
    ]
    expect(await own('keys', 'revoke', made.id, '--since', '2026-01-01')).toMatchObject({ exit: 2 })
    const answer = contract.keys.compromise.response.parse(
      await ownJson('keys', 'revoke', made.id, '--compromised', '--since', '2026-01-01', '--yes'),
    )
    expect(answer.reviews.map(({ subject_id }) => subject_id).sort()).toEqual(
      deployments.map((each) => each.deployment_id).sort(),
    )
    expect((await world.anyone.verifications.inspect(token)).change).toBe('api_key_compromised')
    expect((await own('keys', 'list')).stdout).toMatch(/“Leaked” +compromised/)
    const waiting = await own('keys', 'review')
    expect(waiting.stdout.match(/waiting/g)).toHaveLength(2)
    const [first, second] = answer.reviews
    expect(await own('keys', 'review', first?.id ?? '')).toMatchObject({ exit: 2 })
    expect((await own('keys', 'review', first?.id ?? '', '--confirm')).stdout).toContain(
      `Confirmed ${first?.id}: deployment`,
    )
    expect(
      contract.keys.review.response.parse(await ownJson('keys', 'review', second?.id ?? '', '--withdraw', '--yes')),
    ).toMatchObject({
      decision: 'withdrawn',
    })
    expect(await own('keys', 'review', second?.id ?? '', '--confirm')).toMatchObject({ exit: 6 })
    expect(await acme.client.deployments.list().toArray()).toMatchObject([
      { deployment_id: first?.subject_id, status: 'enabled' },
    ])
  })

  it('are named in quotation marks, because a thief may have chosen their names', async () => {
    const { world, own, ownJson } = await createShell()
    const leaked = contract.keys.create.response.parse(await ownJson('keys', 'create', 'Leaked', '--scope', 'full'))
    const thief = world.client(leaked.api_key)
    await thief.keys.create({ name: 'CI (revoked). It changed nothing', scopes: ['full'] })
    const quoted = '“CI (revoked). It changed nothing”'
    expect((await own('keys', 'list')).stdout).toContain(quoted)
    await thief.models.register({
      display_name: 'Atlas Chat',
      api_model_identifier: 'atlas-two',
      version: '2.0, yours',
      description: 'A model that answers.',
      endpoint: 'https://api.acme.example/v1',
    })
    const revoked = await own('keys', 'revoke', leaked.id, '--compromised', '--yes')
    expect(revoked.stdout).toContain(`Revoked ${leaked.id}, “Leaked”. Links`)
    expect(revoked.stdout).toMatch(/“Atlas Chat 2\.0, yours”/)
    const review = /rev_\w+(?=.*yours)/.exec(revoked.stdout)?.[0] ?? ''
    expect((await own('keys', 'review', review, '--withdraw', '--yes')).stdout).toMatch(
      /: version “Atlas Chat 2\.0, yours”$/m,
    )
    const other = await ownJson('keys', 'create', 'CI. It was never used', '--scope', 'full')
    expect((await own('keys', 'revoke', String(other.id), '--yes')).stdout).toContain(', “CI. It was never used”\n')
  })

  it('with few scopes exit 4 for calls beyond them', async () => {
    const { cli, ownJson } = await createShell()
    const { api_key } = await ownJson('keys', 'create', 'Reader', '--scope', 'read')
    const outcome = await cli.call(['keys', 'create', 'More', '--json'], {
      env: { COUNTERSIGN_API_KEY: String(api_key) },
    })
    expect(errorOf(outcome)).toMatchObject({ code: 'forbidden', exit_code: 4 })
  })

  it.each([
    { name: 'an unknown scope', args: ['create', 'CI', '--scope', 'root'], message: 'root' },
    { name: 'days that are not a number', args: ['create', 'CI', '--expires-in-days', 'soon'], message: 'soon' },
    {
      name: 'a key instead of its ID',
      args: ['revoke', `csk_00000000_${'0'.repeat(49)}`],
      message: 'Give the key’s ID',
    },
  ])('exit 2 for $name', async ({ args, message }) => {
    const cli = await createQuickCommandLine(nobody)
    const outcome = await cli.call(['keys', ...args, '--json'])
    expect(errorOf(outcome)).toMatchObject({ exit_code: 2, message: expect.stringContaining(message) })
    expect(outcome.stderr).not.toContain('csk_00000000_')
  })
})

describe('search on the command line', () => {
  it('finds public records without a key, verified domains first and marked, names in quotation marks', async () => {
    const { world, cli, acme, model_id } = await createShell()
    const northwind = await world.provider('northwind', { isVerified: false })
    await northwind.registerModel({
      display_name: 'Atlas Copy',
      api_model_identifier: 'copy',
      version: '1.0, domain proven',
    })
    await acme.registerModel({ display_name: 'Atlas Secret', api_model_identifier: 'secret', is_public: false })
    const found = contract.search.find.response.parse(await cli.json('search', 'atlas'))
    expect(found.models.map(({ title }) => title)).toEqual(['Atlas Chat', 'Atlas Copy'])
    expect((await cli.call(['search', 'atlas', '-q'])).stdout.split('\n')[0]).toBe(model_id)
    const text = await cli.call(['search', 'atlas'])
    expect(text.stdout).toMatch(/^Found 2 results for "atlas":/)
    expect(text.stdout).toMatch(/“Atlas Copy” +“1\.0, domain proven” +“Northwind[^”]*” \(not verified\)/)
    expect(text.stdout).toMatch(/“Atlas Chat” +“[^”]+” +acme\.example +mdl_/)
    expect((await cli.call(['search', 'northwind'])).stdout).toMatch(
      /northwind\.example \(not verified\) +“Northwind[^”]*” /,
    )
    expect(await cli.json('search', 'acme', '--providers')).toMatchObject({ providers: [{ id: acme.id }], models: [] })
    expect(await cli.json('search', 'atlas', '--models', '--limit', '1')).toMatchObject({
      models: [{ id: model_id }],
      total: 2,
    })
    expect((await cli.call(['search', 'nothing-like-it'])).stdout).toBe('No results found for "nothing-like-it"\n')
  })

  it('exits 2 for less than two characters', async () => {
    const cli = await createQuickCommandLine(nobody)
    expect(errorOf(await cli.call(['search', ' a ', '--json']))).toMatchObject({ exit_code: 2 })
  })
})

describe('open on the command line', () => {
  it('opens the right page for a link, a code, an ID, a digest, a domain or search words', async () => {
    const { world, cli, acme, model_id } = await createShell()
    const { verification_url: link } = await acme.client.verifications.create({ model_id })
    const code = link.slice(link.lastIndexOf('/') + 1)
    for (const [what, path] of [
      ['', '/dashboard'],
      [link, `/v/${code}`],
      [code.toLowerCase().replaceAll('-', ' '), `/v/${code}`],
      [model_id, `/models/${model_id}`],
      [acme.id, `/providers/${acme.id}`],
      ['ACME.example', `/providers/${acme.id}`],
      ['nobody.example', '/search?q=nobody.example'],
      ['tiny & chat', '/search?q=tiny%20%26%20chat'],
      [`sha256:${'5e'.repeat(32)}`, `/search?q=sha256%3A${'5e'.repeat(32)}`],
    ])
      expect((await cli.call(['open', ...(what ? [what] : []), '--print'])).stdout).toBe(`${world.publicUrl}${path}\n`)
    expect(await cli.json('open', model_id, '--print')).toEqual({ url: `${world.publicUrl}/models/${model_id}` })
  })

  it('starts the browser, says which address to open without one, and never opens another registry’s link', async () => {
    const { world, cli, model_id } = await createShell()
    const browser = join(cli.folder, 'browser')
    await writeFile(browser, '#!/bin/sh\nprintf %s "$1" > "$0.opened"\n', { mode: 0o755 })
    const url = `${world.publicUrl}/models/${model_id}`
    await cli.call(['open', model_id], { env: { BROWSER: browser } })
    await expect.poll(() => readFile(`${browser}.opened`, 'utf8').catch(() => '')).toBe(url)
    const shown = await cli.call(['models', 'show', model_id, '--web'], { env: { BROWSER: browser } })
    expect(shown.stdout).toBe(`Opened ${url}\n`)
    const missing = await cli.call(['open', model_id, '--json'], { env: { BROWSER: join(cli.folder, 'missing') } })
    expect(errorOf(missing)).toMatchObject({ code: 'no_browser', hint: expect.stringContaining(url) })
    const foreign = await cli.call(['open', 'https://evil.example/v/K7M2-9QXF-4TRW-8HVB', '--json'])
    expect(errorOf(foreign)).toMatchObject({ exit_code: 2, message: expect.stringContaining('evil.example') })
  })
})

describe('the audit trail on the command line', () => {
  it('is listed as in the dashboard, by kind, action, object and time', async () => {
    const { acme, model_id, own, ownJson } = await createShell()
    const listed = async (...args: string[]) =>
      contract.account.events.response.parse(await ownJson('events', 'list', ...args))
    const actions = async (...args: string[]) => (await listed(...args)).events.map(({ action }) => action)
    expect(await actions('--limit', '2')).toHaveLength(2)
    expect(await actions('--subject', 'model')).toEqual(['model.registered'])
    expect(await actions('--action', 'key.created')).toEqual(['key.created'])
    expect(await actions('--id', model_id)).toEqual(['model.registered'])
    expect(await actions('--until', '2000-01-01')).toEqual([])
    expect((await listed('--since', '2000-01-01')).events).toEqual((await acme.client.account.events({})).events)
    expect((await own('events', 'list', '--subject', 'model')).stdout).toMatch(
      /^AT +ACTION .*\n.*model\.registered +mdl_\w+ +“Atlas Chat” +key_\w+ \(.+\)\n/,
    )
  })

  it.each([
    { name: 'an invalid time', args: ['--since', 'yesterday'], message: '--since' },
    { name: 'an invalid limit', args: ['--limit', '0'], message: '--limit' },
    { name: 'an unknown kind', args: ['--subject', 'weather'], message: 'weather' },
  ])('is not listed by $name', async ({ args, message }) => {
    const cli = await createQuickCommandLine(nobody)
    const failed = await cli.call(['events', 'list', ...args, '--json'], { env: { COUNTERSIGN_API_KEY: 'x' } })
    expect(errorOf(failed)).toMatchObject({ exit_code: 2, message: expect.stringContaining(message) })
  })
})
