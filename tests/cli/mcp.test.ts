import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, it, onTestFinished } from 'vitest'
import { createWorld } from '../support/world.ts'
import { createWorldWithIssuer } from '../support/world-with-issuer.ts'
import { createCommandLine, errorOf } from './process.ts'

const createDesk = async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const model_id = await acme.registerModel({ api_model_identifier: 'acme-chat' })
  const cli = await createCommandLine(world.address)
  return { world, acme, model_id, cli, env: { ...cli.env, COUNTERSIGN_API_KEY: acme.apiKey } }
}

it('takes the origin of its links from the option alone, not from the project file of a repository', async () => {
  const { world, acme, cli, env } = await createDesk()
  world.dns.setTxt('_countersign.evil.example', [`countersign-origin=${acme.id}`])
  await cli.write('.countersign.json', JSON.stringify({ origin: 'https://chat.evil.example' }))
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [cli.program, 'mcp', '--model', 'acme-chat'],
    cwd: cli.folder,
    env,
    stderr: 'pipe',
  })
  let shown = ''
  transport.stderr?.on('data', (chunk: Buffer) => {
    shown += chunk
  })
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(transport)
  onTestFinished(() => client.close())
  await client.callTool({ name: 'get_verification_link', arguments: {} })
  await expect.poll(() => shown).toContain('may not set origin; ignored. Use --origin')
  const { verifications } = await acme.client.account.verifications({})
  expect(verifications.map(({ origin }) => origin)).toEqual([null])
})

it('gives an MCP client links of one model, and of no other', async () => {
  const { world, acme, model_id, cli, env } = await createDesk()
  const other = await acme.registerModel({ api_model_identifier: 'acme-vision' })
  for (const mode of ['auto', 'legacy'] as const) {
    const args = [cli.program, 'mcp', '--origin', 'https://chat.acme.example']
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: mode === 'auto' ? [...args, '--model', 'acme-chat'] : args,
      env: mode === 'auto' ? env : { ...env, COUNTERSIGN_MODEL: model_id },
      stderr: 'pipe',
    })
    let shown = ''
    transport.stderr?.on('data', (chunk: Buffer) => {
      shown += chunk
    })
    const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
    await client.connect(transport)
    onTestFinished(() => client.close())
    const call = (given: Record<string, unknown>) =>
      client.callTool({ name: 'get_verification_link', arguments: given })

    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['get_verification_link'])
    const { structuredContent } = await call({ challenge: 'blue otter 42' })
    const { verification_url = '' } = structuredContent as { verification_url?: string }
    const verdict = await world.anyone.verifications.check(verification_url, {
      expect: { provider_domain: 'acme.example', model_id },
    })
    expect(verdict).toMatchObject({
      result: 'verified',
      verification: { challenge: 'blue otter 42', origin: 'https://chat.acme.example' },
    })
    expect((await call({ challenge: 'blue otter 42' })).structuredContent).toEqual(structuredContent)
    for (const given of [{ model_id: other }, { model: 'acme-vision', challenge: null }])
      expect((await call(given)).isError).toBe(true)
    const { verifications } = await acme.client.account.verifications({})
    expect(verifications).toHaveLength(mode === 'auto' ? 1 : 2)
    expect(verifications.every((each) => each.model_id === model_id)).toBe(true)
    expect(shown).toBe('')

    if (mode === 'legacy') {
      await acme.client.models.archive(model_id, {})
      expect(await call({ challenge: 'red heron 7' })).toMatchObject({ isError: true })
      await expect.poll(() => shown).toMatch(/warning: .*archived/)
    }
  }
}, 60_000)

it('gets links with the identity token of its platform, without a key', async () => {
  const { ci, world } = await createWorldWithIssuer('other')
  const acme = await world.provider('acme')
  const model_id = await acme.registerModel({ require_deployment_proof: true })
  const { deployment_id } = await acme.client.workloads.trust({ issuer: ci.issuer, subject: 'job' })
  await acme.client.models.allowDeployment(model_id, { deployment_id })
  const cli = await createCommandLine(world.address)
  const args = ['mcp', '--model', model_id, '--provider', acme.id, '--workload-token']
  // The process has the real clock, and takes a while to start.
  world.clock.advance(`${Math.max(0, Date.now() + 15_000 - world.clock.now())}ms`)
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [cli.program, ...args, 'env'],
    env: { ...cli.env, ...ci.environment() },
  })
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(transport)
  onTestFinished(() => client.close())
  const { structuredContent } = await client.callTool({ name: 'get_verification_link', arguments: {} })
  const { verification_url = '' } = structuredContent as { verification_url?: string }
  expect(await world.anyone.verifications.check(verification_url)).toMatchObject({
    result: 'verified',
    strength: 'deployment',
    verification: { deployment_info: { binding: 'workload' } },
  })
  const piped = await cli.call([...args, '-'])
  expect(piped).toMatchObject({ exit: 2, stdout: '', stderr: expect.stringContaining('stdin carries the protocol') })
})

const opening = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1.0.0' } },
}

it('writes only the protocol to stdout, and exits when stdin ends or on Ctrl-C', async () => {
  const { model_id, cli, env } = await createDesk()
  for (const { end, exit } of [
    { end: 'stdin', exit: 0 },
    { end: 'SIGINT', exit: 130 },
    { end: 'SIGTERM', exit: 143 },
  ] as const) {
    const child = cli.start(['mcp', '--model', model_id], { env })
    const lines: string[] = []
    const reader = createInterface({ input: child.stdout })
    reader.on('line', (line) => lines.push(line))
    // First invalid JSON, then a call of an unknown tool. Each gets an answer or a line on stderr.
    child.stdin.write(`hello?\n${JSON.stringify(opening)}\n`)
    await once(reader, 'line')
    const closed = once(child, 'close')
    if (end === 'stdin') child.stdin.end()
    else child.kill(end)
    expect((await closed)[0]).toBe(exit)
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { jsonrpc: '2.0', id: 1, result: { serverInfo: { name: 'countersign' } } },
    ])
  }
})

it('does not start without a key or a model, and says which is missing', async () => {
  const { acme, model_id, cli, env } = await createDesk()
  const noKey = await cli.call(['mcp', '--model', model_id, '--json'])
  expect(noKey).toMatchObject({ exit: 4, stdout: '' })
  expect(errorOf(noKey)).toMatchObject({ code: 'unauthorized', hint: expect.stringContaining('COUNTERSIGN_API_KEY') })
  const noModel = await cli.call(['mcp', '--json'], { env })
  expect(noModel).toMatchObject({ exit: 2, stdout: '' })
  expect(errorOf(noModel)).toMatchObject({ code: 'usage', hint: expect.stringContaining('COUNTERSIGN_MODEL') })
  expect(await cli.call(['mcp', '--model', 'nobodys'], { env })).toMatchObject({ exit: 5, stdout: '' })
  const { api_key } = await acme.client.keys.create({ name: 'chat servers', scopes: ['links'] })
  const named = await cli.call(['mcp', '--model', 'acme-chat'], { env: { ...env, COUNTERSIGN_API_KEY: api_key } })
  expect(named.stderr).toContain('A key with only the links scope needs the model’s ID')
})

it('loads its code only when it serves', async () => {
  const cli = await createCommandLine('http://127.0.0.1:9')
  const list = await cli.write(
    'list.cjs',
    "process.on('exit', () => process.stderr.write(Object.keys(require.cache).join('\\n')))",
  )
  const env = { NODE_OPTIONS: `--require ${list}`, COUNTERSIGN_API_KEY: `csk_00000000_${'0'.repeat(49)}` }
  for (const args of [['--version'], ['--help'], ['help', 'mcp'], ['mcp', '--help']]) {
    const { stderr } = await cli.call(args, { env })
    expect(stderr).toContain('main.js')
    expect(stderr).not.toContain('mcp-server')
  }
  const { stderr } = await cli.call(['mcp', '--model', 'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm'], { env })
  expect(stderr).toContain('mcp-server')
})
