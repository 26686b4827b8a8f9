import { expect, it } from 'vitest'
import { createWorld } from '../support/world.ts'
import { createQuickCommandLine } from './in-process.ts'

it('adds, proves, lists, makes primary and removes domains', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const cli = await createQuickCommandLine(world.address)
  const own = (...args: string[]) => cli.call(args, { env: { COUNTERSIGN_API_KEY: acme.apiKey } })

  const wrong = await own('domains', 'add', 'not a domain')
  expect(wrong).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining('error: domain: Enter a domain, such as acme.example\n'),
  })
  const added = await own('domains', 'add', 'https://www.northwind.example/about')
  expect(added).toMatchObject({ exit: 0, stdout: expect.stringContaining('northwind.example: not proven') })
  const [, name = '', value = ''] = /(_countersign\.northwind\.example) {2}TXT {2}"([^"]+)"/.exec(added.stderr) ?? []
  expect((await own('domains', 'verify', 'northwind.example', '--record')).stdout).toBe(`${name}. TXT "${value}"\n`)
  expect((await own('domains', 'verify', 'northwind.example')).exit).toBe(3)
  expect((await own('domains', 'primary', 'northwind.example', '--yes')).exit).toBe(6)
  world.dns.fail(name, 'servfail')
  expect((await own('domains', 'verify', 'northwind.example')).exit).toBe(9)
  world.dns.clear()
  acme.publishProof()
  world.dns.setTxt(name, [value])
  expect(await own('domains', 'verify', 'northwind.example')).toMatchObject({
    exit: 0,
    stdout: expect.stringContaining('verified'),
  })
  expect((await own('domains', 'list')).stdout).toMatch(
    /acme\.example +yes +proven by DNS record[\s\S]*northwind\.example +proven by DNS record/,
  )

  expect((await own('domains', 'remove', 'acme.example', '--yes')).exit).toBe(6)
  expect((await own('domains', 'primary', 'northwind.example', '--yes')).exit).toBe(0)
  expect((await own('providers', 'show')).stdout).toContain('northwind.example (verified by DNS record)')
  expect(await own('domains', 'remove', 'acme.example', '--yes')).toMatchObject({
    exit: 0,
    stdout: 'Removed acme.example\n',
  })
  expect(await own('domains', 'verify', 'acme.example')).toMatchObject({ exit: 5 })
  expect((await own('domains', 'list', '-q')).stdout).toBe('northwind.example\n')
})

it('says that a proven domain could not be checked, and prints no domain with --quiet, while DNS fails', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const { call } = await createQuickCommandLine(world.address)
  const env = { COUNTERSIGN_API_KEY: acme.apiKey }
  world.dns.fail(acme.proof.record_name, 'servfail')
  for (const args of [
    ['domains', 'verify', 'acme.example'],
    ['providers', 'verify-domain'],
  ]) {
    expect(await call(args, { env })).toMatchObject({
      exit: 9,
      stdout: expect.stringMatching(/^could not be checked {2}acme\.example \(still proven by DNS record\)\n/),
    })
    expect(await call([...args, '--quiet'], { env })).toMatchObject({ exit: 9, stdout: '' })
  }
})
