import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, it, onTestFinished } from 'vitest'
import { createSelfSigned } from '../support/certificates.ts'
import { itInFull } from '../support/full.ts'
import { logPolicyOf } from '../support/log-policies.ts'
import { blocksOf } from '../support/pages.ts'
import { createReader } from '../support/samples.ts'
import { createWorld, type World } from '../support/world.ts'

/** A shell that keeps variables from one step to the next. */
const openShell = async (world: World) => {
  const reader = await createReader(world.address)
  await mkdir(join(reader.folder, '.data/tls'), { recursive: true })
  const env = { ...reader.env, PATH: `${join(reader.folder, 'bin')}:${reader.env.PATH}` }
  const run = async (script: string) => {
    const shell = spawn('/bin/sh', ['-eu', '-c', `[ ! -e state ] || . ./state\n${script}\nexport -p > state`], {
      cwd: reader.folder,
      env,
    })
    let output = ''
    for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (chunk) => (output += chunk))
    shell.stdin.end()
    const [exit] = await once(shell, 'close')
    expect({ script, exit, output }).toMatchObject({ exit: 0 })
    return output
  }
  /** Publishes the record that `verify-domain --record` printed. */
  const publish = (line: string) => {
    const [, name = '', value = ''] = /^(\S+?)\.?\s.*"([^"]+)"/m.exec(line) ?? []
    world.dns.setTxt(name, [value])
  }
  return { folder: reader.folder, run, publish, write: reader.write }
}

itInFull(
  'docs/start.md goes from registering to a link that is checked, live and offline',
  {
    timeout: 120_000,
  },
  async () => {
    const world = await createWorld()
    const { run, publish, write } = await openShell(world)
    const [register = '', domain = '', model = '', deployment = '', mint = '', verify = '', logged = '', ...others] =
      await blocksOf('docs/start.md')
    expect(others).toEqual([])
    await write('weights.safetensors', 'the weights')
    const tls = await world.startTls()
    await write('.data/tls/ca.crt', tls.ca)

    await run(register)
    const [record = '', check = ''] = domain.split('\n')
    publish(await run(record))
    expect(await run(check)).toMatch(/acme\.example/)
    await run(model)
    await run(deployment)
    const minted = await run(mint.replace('https://127.0.0.1:4143', tls.url))
    const [link = ''] = new RegExp(`${world.publicUrl}/v/[\\w-]+`).exec(minted) ?? []
    const [token = ''] =
      /eyJ[\w-]+\.[\w-]+\.[\w-]+/.exec(await run(`countersign tokens mint --model acme-chat --json`)) ?? []
    await write('keys.json', await (await fetch(`${world.address}/.well-known/jwks.json`)).text())
    const asked = verify
      .replace('https://registry.example/v/W904-2CKW-GDNC-X7S1', link)
      .replaceAll('https://registry.example', world.publicUrl)
      .replace('LINK', link)
      .replace('TOKEN', token)
    expect(
      (await run(asked)).match(/^(Verified|Company confirmed)|acme\.example issued/gm)?.length,
    ).toBeGreaterThanOrEqual(3)

    await world.registry.transparency.sequence()
    await run('mkdir -p .data/log')
    await write('.data/log/log.policy', `${await logPolicyOf(world)}quorum none\n`)
    expect(await run(logged.replace('LINK', link))).toContain('acme.example')
  },
)

it('the five minutes of README.md end with a link whose server is proven', { timeout: 120_000 }, async () => {
  const world = await createWorld()
  const { folder, run, publish, write } = await openShell(world)
  const tls = await world.startTls()
  await write('.data/tls/ca.crt', tls.ca)
  const steps = (await blocksOf('README.md', 'sh', 'Five minutes with your own model'))
    .join('')
    .replace(/^ {3}/gm, '')
    .replace(/^export PATH=.*\n/m, '')
    .replace(/(COUNTERSIGN_API_URL)=\S+/, `$1=${world.address}`)
    .replace(/(COUNTERSIGN_TLS_URL)=\S+/, `$1=${tls.url}`)
    .replaceAll(/^(MODEL|LINK)=/gm, 'export $1=')
  const [before = '', after = ''] = steps.split(/(?<=>> \.data\/dns\.txt\n)/)
  await write('README.md', '# Mine\n')
  await run(before)
  publish(await readFile(join(folder, '.data/dns.txt'), 'utf8'))
  const output = await run(after)
  expect(output).toContain('northwind.example')
  expect(output).toMatch(/Verified/)
  const [link = ''] = /\S+\/v\/[\w-]+/.exec(output) ?? []
  expect(JSON.parse(await run(`countersign verify ${link} --json`))).toMatchObject({
    result: 'verified',
    claims: { deployment_binding: 'mtls' },
  })
})

itInFull(
  'the README of the command line goes from nothing to a link, and checks it',
  { timeout: 120_000 },
  async () => {
    const world = await createWorld()
    const { run, publish, write } = await openShell(world)
    const [check = '', register = '', completion = '', ...others] = await blocksOf('cli/README.md')
    expect(others).toEqual([])
    const tls = await world.startTls()
    const { cert, key } = await createSelfSigned('tiny.acme.example')
    for (const [file, text] of Object.entries({
      'ca.crt': tls.ca,
      'client.pem': cert,
      'client.key': key,
      'tiny.gguf': 'GGUF',
    }))
      await write(file, text)
    const [before, after = ''] = register
      .replace('https://registry.example:4143', `${tls.url} --ca ca.crt`)
      .split(/^(?=countersign providers verify-domain)/m)
    publish(await run(`${before}countersign providers verify-domain --record`))
    const [link = ''] = new RegExp(`${world.publicUrl}/v/[\\w-]+`).exec(await run(after)) ?? []
    const own = check.replace('npx @countersign/cli', 'countersign').replace(/https:\S+/, link)
    expect(await run(own)).toMatch(/Verified/)

    const [bash = '', zsh = '', fish = ''] = completion.split('\n')
    await run('mkdir -p ~/.zfunc ~/.config/fish/completions')
    for (const line of [
      bash.replace('eval', 'printf %s'),
      zsh,
      `${fish} && cat ~/.zfunc/_countersign ~/.config/fish/completions/countersign.fish`,
    ])
      await run(line)
  },
)

it('the client’s settings of the MCP example start a server that issues a link', { timeout: 60_000 }, async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const model = await acme.registerModel()
  const [block = '', ...others] = await blocksOf('examples/mcp-client/README.md', 'json')
  expect(others).toEqual([])
  const own = { 'https://registry.example': world.address, 'csk_…': acme.apiKey, mdl_06dh0e3x7c9bw4vjz2n8qk5ytm: model }
  const settings = Object.entries(own).reduce(
    (text, [placeholder, value]) => text.replaceAll(placeholder, value),
    block,
  )
  const { command, args, env } = JSON.parse(settings).mcpServers.countersign
  const reader = await createReader(world.address)
  const path = `${join(reader.folder, 'bin')}:${reader.env.PATH}`
  const client = new Client({ name: 'a client', version: '1' })
  await client.connect(
    new StdioClientTransport({ command: join(reader.folder, 'bin', command), args, env: { ...env, PATH: path } }),
  )
  onTestFinished(() => client.close())
  const answer = await client.callTool({ name: 'get_verification_link', arguments: {} })
  expect(JSON.stringify(answer)).toContain(`${world.publicUrl}/v/`)
})
