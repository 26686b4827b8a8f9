import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createReader } from '../support/samples.ts'
import { createWorld, type World } from '../support/world.ts'

const root = join(import.meta.dirname, '../..')

/** The blocks of `sh` on a page, in order, under what comes after the given words. */
const stepsOf = async (page: string, after = '') => {
  const text = await readFile(join(root, page), 'utf8')
  return Array.from(text.slice(text.indexOf(after)).matchAll(/^```sh\n([\s\S]*?)^```$/gm), ([, block = '']) => block)
}

/** A shell in which what one step sets is there for the next. */
const openShell = async (world: World) => {
  const reader = await createReader(world.address)
  await mkdir(join(reader.folder, '.data/tls'), { recursive: true })
  const env = { ...reader.env, PATH: `${join(reader.folder, 'bin')}:${reader.env.PATH}` }
  const run = async (script: string) => {
    const shell = spawn('/bin/sh', ['-eu', '-c', `[ ! -e state ] || . ./state\n${script}\nexport -p > state`], { cwd: reader.folder, env })
    let output = ''
    for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (chunk) => (output += chunk))
    shell.stdin.end()
    const [exit] = await once(shell, 'close')
    expect({ script, exit, output }).toMatchObject({ exit: 0 })
    return output
  }
  /** Publishes the record that `verify-domain --record` told. */
  const publish = (line: string) => {
    const [, name = '', value = ''] = /^(\S+?)\.?\s.*"([^"]+)"/m.exec(line) ?? []
    world.dns.setTxt(name, [value])
  }
  return { folder: reader.folder, run, publish, write: reader.write }
}

it('docs/start.md leads from registering to a link that is checked, live and offline', { timeout: 120_000 }, async () => {
  const world = await createWorld()
  const { run, publish, write } = await openShell(world)
  const [register = '', domain = '', model = '', deployment = '', mint = '', verify = '', ...others] = await stepsOf('docs/start.md')
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
  const [token = ''] = /eyJ[\w-]+\.[\w-]+\.[\w-]+/.exec(await run(`countersign tokens mint --model acme-chat --json`)) ?? []
  await write('keys.json', await (await fetch(`${world.address}/.well-known/jwks.json`)).text())
  const asked = verify
    .replace('https://registry.example/v/W904-2CKW-GDNC-X7S1', link)
    .replaceAll('https://registry.example', world.publicUrl)
    .replace('LINK', link)
    .replace('TOKEN', token)
  expect((await run(asked)).match(/Verified|acme\.example issued/g)?.length).toBeGreaterThanOrEqual(3)
})

it('the five minutes of README.md end with a link that is verified', { timeout: 120_000 }, async () => {
  const world = await createWorld()
  const { folder, run, publish, write } = await openShell(world)
  const [block = ''] = await stepsOf('README.md', '## Five minutes')
  const steps = block
    .replace(/^export PATH=.*\n/m, '')
    .replace(/(COUNTERSIGN_API_URL)=\S+/, `$1=${world.address}`)
    .replaceAll(/^(MODEL|LINK)=/gm, 'export $1=')
  const [before = '', after = ''] = steps.split(/(?<=>> \.data\/dns\.txt\n)/)
  await write('README.md', '# Mine\n')
  await run(before)
  publish(await readFile(join(folder, '.data/dns.txt'), 'utf8'))
  const output = await run(after)
  expect(output).toContain('northwind.example')
  expect(output).toMatch(/Verified/)
})
