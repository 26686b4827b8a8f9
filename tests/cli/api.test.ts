import { describe, expect, it } from 'vitest'
import { createWorld } from '../support/world.ts'
import { createQuickCommandLine } from './in-process.ts'
import { errorOf } from './process.ts'

const createShell = async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const cli = await createQuickCommandLine(world.address)
  const own = (...args: string[]) => cli.call(args, { env: { COUNTERSIGN_API_KEY: acme.apiKey } })
  return { world, acme, cli, own }
}

describe('countersign api', () => {
  it('sends fields as a query or a body, and prints the JSON of the answer', async () => {
    const { acme, cli, own } = await createShell()
    const model_id = await acme.registerModel({ display_name: 'Atlas', api_model_identifier: 'atlas' })
    const listed = await cli.call(['api', 'get', 'models/public', '-F', 'search=atlas', '--raw-field', 'limit=1'])
    expect(JSON.parse(listed.stdout)).toMatchObject({ models: [{ id: model_id }], next_cursor: null })
    for (const path of ['models/public', 'api/v1/models/public', '/api/v1/models/public'])
      expect(JSON.parse((await cli.call(['api', path])).stdout).models).toHaveLength(1)
    expect((await cli.call(['api', '.well-known/jwks.json'])).stdout).toContain('"kty"')
    const posted = await own('api', 'create-verification', '-F', `model_id=${model_id}`, '--dry-run')
    expect(posted.stdout).toMatch(/^POST /)
    const minted = await own('api', 'POST', '/api/v1/create-verification', '-F', `model_id=${model_id}`)
    expect(JSON.parse(minted.stdout)).toMatchObject({ expires_in: 900 })
    const written = {
      stdin: JSON.stringify({ name: 'ci', scopes: ['read'] }),
      env: { COUNTERSIGN_API_KEY: acme.apiKey },
    }
    const made = await cli.call(['api', 'POST', 'providers/me/api-keys', '--input', '-', '-q'], written)
    expect(made.stderr).toBe('')
    expect(made.stdout).toMatch(/^key_\w+\n$/)
  })

  it('gets all pages of a list as one', async () => {
    const { acme, own } = await createShell()
    for (const name of ['a1', 'b2', 'c3']) await acme.registerModel({ api_model_identifier: name })
    const path = `providers/${acme.id}/models`
    const all = JSON.parse((await own('api', 'GET', `${path}?limit=2`, '--paginate')).stdout)
    expect(all.models).toHaveLength(3)
    expect(all.next_cursor).toBeNull()
    expect(await own('api', 'GET', 'providers/me', '--paginate')).toMatchObject({ exit: 2 })
  })

  it('exits like every command, and names what is wrong with the call', async () => {
    const { own, cli } = await createShell()
    expect((await own('api', 'GET', 'models/mdl_00000000000000000000000000/public')).exit).toBe(5)
    expect((await cli.call(['api', 'GET', 'providers/me'])).exit).toBe(4)
    const invalid = await own('api', 'POST', 'models/register', '-F', 'version=1', '--json')
    expect(errorOf(invalid)).toMatchObject({ code: 'validation_failed', status: 422 })
    expect(await own('api', 'HEAD', 'x')).toMatchObject({ exit: 2, stderr: expect.stringContaining('"HEAD"') })
    expect(await own('api', 'GET')).toMatchObject({ exit: 2, stderr: expect.stringContaining('<path>') })
    expect(await own('api', 'GET', 'https://evil.example/x')).toMatchObject({ exit: 2 })
    for (const [method, path, exit, says] of [
      ['GET', 'nope', 5, /no endpoint \/api\/v1\/nope\n.*\/docs/],
      ['GET', 'model/public?limit=1', 5, /no endpoint .*\nhint: Did you mean models\/public\?/],
      ['POST', 'models/public', 2, /does not take POST .*\nhint: Try: countersign api GET \/api\/v1\/models\/public/],
    ] as const)
      expect(await own('api', method, path)).toMatchObject({ exit, stderr: expect.stringMatching(says) })
    const broken = await cli.call(['api', 'POST', 'models/register', '--input', '-'], { stdin: '{\n "a": 1,\n}' })
    expect(broken).toMatchObject({
      exit: 2,
      stderr: expect.stringMatching(/stdin is not JSON\nhint: .* line 3 column/),
    })
    expect(await cli.call(['verify', '-'])).toMatchObject({ exit: 2, stderr: expect.stringContaining('is empty') })
  })

  it('sends nothing with --dry-run', async () => {
    const { own } = await createShell()
    const shown = await own('api', 'POST', 'models/register', '-F', 'labels[a]=1', '--dry-run', '--json')
    expect(JSON.parse(shown.stdout)).toEqual({
      dry_run: true,
      method: 'POST',
      url: expect.stringMatching(/\/api\/v1\/models\/register$/),
      body: { labels: { a: 1 } },
    })
  })
})

describe('--jq', () => {
  it('prints what a filter finds in the answer of any command', async () => {
    const { acme, own } = await createShell()
    const ids = [
      await acme.registerModel({ api_model_identifier: 'a1' }),
      await acme.registerModel({ api_model_identifier: 'b2' }),
    ]
    const found = await own('models', 'list', '--jq', '.models | sort_by(.api_model_identifier)[] | .id')
    expect(found).toMatchObject({ exit: 0, stdout: `${ids.join('\n')}\n`, stderr: '' })
    expect((await own('models', 'list', '--jq', '.models[] | {v: .version} // "none"')).stdout).toBe(
      '{"v":"1.0.0"}\n{"v":"1.0.0"}\n',
    )
  })

  it('rejects a filter that jq cannot read before it does anything', async () => {
    const { acme, own } = await createShell()
    expect(await own('keys', 'create', 'x', '--jq', '.[')).toMatchObject({ exit: 2, stdout: '' })
    expect(await acme.client.keys.list()).toHaveLength(1)
    expect(await own('keys', 'list', '--jq', '.[] | .name + 1')).toMatchObject({
      exit: 2,
      stderr: expect.stringMatching(/cannot be added.*\nhint: For example: --jq/),
    })
  })
})

describe('config', () => {
  it('lists settings, and removes a saved one; an empty value removes it as well', async () => {
    const { cli } = await createShell()
    await cli.call(['config', 'set', 'timeout', '30'])
    expect(JSON.parse((await cli.call(['config', 'list', '--json'])).stdout)).toMatchObject({
      timeout: '30',
      ca_file: null,
    })
    expect(await cli.call(['config', 'unset', 'timeout'])).toMatchObject({
      exit: 0,
      stdout: 'timeout is not set; the default is 10\n',
    })
    expect((await cli.call(['config', 'get', 'timeout'])).stdout).toBe('10\n')
    await cli.call(['config', 'set', 'ca_file', 'ca.pem'])
    expect(await cli.call(['config', 'set', 'ca_file', ''])).toMatchObject({ exit: 0, stdout: 'ca_file is not set\n' })
    expect((await cli.call(['config', 'get', 'ca_file'])).stderr).toContain('not set')
    await cli.call(['config', 'set', 'ca_file', '.'])
    const { findings } = JSON.parse((await cli.call(['doctor', '--json'])).stdout)
    expect(findings).toContainEqual(
      expect.objectContaining({
        check: 'config',
        status: 'fail',
        detail: expect.stringMatching(/^ca_file: A folder, not a file: \//),
      }),
    )
    await cli.call(['config', 'unset', 'ca_file'])
    await cli.call(['config', 'set', 'profile', 'staging'])
    await cli.call(['config', 'unset', 'profile'])
    expect((await cli.call(['config', 'get', 'profile'])).stdout).toBe('default\n')
    expect(await cli.call(['config', 'unset', 'api_key'])).toMatchObject({ exit: 2 })
  })
})
