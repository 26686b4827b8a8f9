import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isFull } from '../support/full.ts'
import { createWorld } from '../support/world.ts'
import { createQuickCommandLine } from './in-process.ts'
import { createCommandLine, errorOf } from './process.ts'

const nobody = 'http://127.0.0.1:9'
const code = 'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm'
const key = { COUNTERSIGN_API_KEY: `csk_00000000_${'0'.repeat(49)}` }

const ended = new Set<number>()
/** A process for the first command with each exit code, and for all in a full run; otherwise commands run in this process. */
const commandLineFor = (exit: number, apiUrl: string) => {
  const isProcess = isFull || !ended.has(exit)
  ended.add(exit)
  return isProcess ? createCommandLine(apiUrl) : createQuickCommandLine(apiUrl)
}

/** A server that answers every request with one problem. */
const problemServer = async (status: number, problem: string) => {
  const server = createServer((_, response) => {
    response.writeHead(status, {
      'Content-Type': 'application/problem+json',
      'X-Request-Id': 'req_1',
      'X-Should-Retry': 'false',
    })
    response.end(
      JSON.stringify({
        type: 'about:blank',
        title: 't',
        status,
        detail: 'Told so',
        code: problem,
        request_id: 'req_1',
      }),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('exit codes', () => {
  it.each([
    { name: 'an unknown option', args: ['models', 'list', '--nope'], exit: 2 },
    { name: 'an unknown command', args: ['modles'], exit: 2 },
    { name: 'a missing argument', args: ['models', 'show'], exit: 2 },
    { name: 'a missing subcommand', args: ['models'], exit: 2 },
    { name: 'missing fields without a terminal', args: ['models', 'register'], exit: 2 },
    {
      name: 'an invalid field',
      args: [
        'models',
        'register',
        '--identifier',
        'a/b',
        '--display-name',
        'AB',
        '--endpoint',
        'https://a.example',
        '--description',
        'long enough text',
      ],
      exit: 2,
    },
    { name: 'no key', args: ['models', 'list'], exit: 4 },
    { name: 'no key and no prompt', args: ['auth', 'login'], exit: 4 },
    { name: 'no registry', args: ['models', 'show', code], exit: 8 },
    { name: 'a missing file', args: ['models', 'digest', 'nothing.bin'], exit: 2 },
    { name: 'a file without a key', args: ['fingerprint', '-'], exit: 2 },
    { name: 'verify without a registry', args: ['verify', '7K4M-9QXT-2BHD-0000'], exit: 3 },
  ])('$exit for $name, printed as one JSON object or as a result', async ({ args, exit }) => {
    const cli = await commandLineFor(exit, nobody)
    const outcome = await cli.call([...args, '--json'])
    expect(outcome.exit).toBe(exit)
    if (exit === 3)
      return expect(JSON.parse(outcome.stdout)).toMatchObject({ result: 'not_verified', reason: 'mistyped' })
    expect(outcome.stdout).toBe('')
    expect(errorOf(outcome)).toMatchObject({
      exit_code: exit,
      hint: expect.toSatisfy((hint) => hint === null || typeof hint === 'string'),
    })
  })

  it.each([
    { status: 401, problem: 'unauthorized', exit: 4 },
    { status: 404, problem: 'not_found', exit: 5 },
    { status: 409, problem: 'model_exists', exit: 6 },
    { status: 429, problem: 'rate_limited', exit: 7 },
    { status: 503, problem: 'unavailable', exit: 8 },
    { status: 500, problem: 'internal', exit: 1 },
    { status: 422, problem: 'a_code_of_the_future', exit: 2 },
  ])('$exit for $problem, with its request ID', async ({ status, problem, exit }) => {
    const cli = await commandLineFor(exit, await problemServer(status, problem))
    const outcome = await cli.call(['whoami', '--json'], { env: key })
    expect(outcome).toMatchObject({ exit, stdout: '' })
    expect(errorOf(outcome)).toMatchObject({ code: problem, status, request_id: 'req_1', exit_code: exit })
  })

  it('reports "could not check" only as that', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const { verification_url, token } = await acme.client.verifications.create({ model_id: await acme.registerModel() })
    const link = new URL(verification_url)
    for (const status of [429, 500, 502, 503]) {
      const cli = await commandLineFor(9, await problemServer(status, 'unavailable'))
      const outcome = await cli.call(['verify', link.pathname.slice(3), '--json'])
      expect(outcome).toMatchObject({ exit: 9, stderr: '' })
      expect(JSON.parse(outcome.stdout)).toMatchObject({ result: 'unknown', reason: 'keys_unavailable' })
    }
    const cli = await createQuickCommandLine(nobody)
    expect((await cli.call(['verify', token])).exit).toBe(9)
    expect((await cli.call(['verify', verification_url])).exit).toBe(3)
    expect((await cli.call(['verify', link.pathname.slice(3), '--issuer', world.address])).exit).toBe(9)
  })

  it.each([
    { name: 'missing keys', args: ['--offline', '--jwks', 'nofile'], shown: /--jwks: No such file: nofile/ },
    {
      name: 'invalid keys',
      args: ['--offline', '--jwks', 'keys.json'],
      shown: /keys\.json does not contain a registry’s public keys/,
    },
    {
      name: 'an address as a domain',
      args: ['--expect-provider', 'https://acme.example'],
      shown: /--expect-provider must be a domain/,
    },
    { name: 'a word as a domain', args: ['--expect-provider', 'acme'], shown: /--expect-provider must be a domain/ },
    { name: 'an identifier as a model', args: ['--expect-model', 'tiny'], shown: /mdl_ and 26 characters/ },
    { name: 'half a digest', args: ['--expect-digest', 'sha256:00'], shown: /64 hex/ },
  ])('2 for verify with $name', async ({ args, shown }) => {
    const cli = await commandLineFor(2, nobody)
    await cli.write('keys.json', '{"keys":1}')
    const outcome = await cli.call(['verify', 'eyJhbGciOi.eyJzdWIi.c2ln', ...args, '--json'])
    expect(outcome).toMatchObject({ exit: 2, stdout: '' })
    expect(errorOf(outcome).message).toMatch(shown)
  })

  it('offline, a link code is a usage error and a mistyped one is not verified', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme', { isVerified: false })
    const { verification_url, token } = await acme.client.verifications.create({ model_id: await acme.registerModel() })
    const cli = await createQuickCommandLine(world.address)
    const jwks = await cli.write('jwks.json', JSON.stringify(await world.anyone.signing.jwks()))
    const last = verification_url.at(-1) === '0' ? '1' : '0'
    const offline = ['--offline', '--jwks', jwks, '--json']
    expect((await cli.call(['verify', verification_url, ...offline])).exit).toBe(2)
    expect((await cli.call(['verify', verification_url.slice(0, -1) + last, ...offline])).exit).toBe(3)
    expect((await cli.call(['verify', verification_url, '--offline'])).exit).toBe(2)
    for (const input of [[verification_url], [token, '--offline', '--jwks', jwks]]) {
      const refused = await cli.call(['verify', ...input, '--json'])
      expect(refused.exit).toBe(3)
      expect(JSON.parse(refused.stdout)).toMatchObject({ result: 'not_verified', reason: 'provider_unverified' })
      expect((await cli.call(['verify', ...input, '--allow-unverified-provider'])).exit).toBe(0)
    }
    const foreign = await cli.call(['verify', 'https://elsewhere.example/v/7K4M-9QXT-2BHD-M3V8', '--json'])
    expect(foreign.exit).toBe(3)
    expect(JSON.parse(foreign.stdout)).toMatchObject({ reason: 'foreign_registry' })
  })

  it.each([
    { signal: 'SIGINT', exit: 130 },
    { signal: 'SIGTERM', exit: 143 },
  ] as const)('$exit after $signal', async ({ signal, exit }) => {
    let asked = () => {}
    const arrived = new Promise<void>((resolve) => {
      asked = resolve
    })
    const server = createServer(() => asked())
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const cli = await createCommandLine(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const child = cli.start(['models', 'show', code, '--json', '--timeout', '60'])
    const closed = once(child, 'close')
    let stderr = ''
    child.stderr.on('data', (chunk) => {
      stderr += chunk
    })
    await arrived
    child.kill(signal)
    expect((await closed)[0]).toBe(exit)
    expect(JSON.parse(stderr).error.exit_code).toBe(exit)
  })
})
