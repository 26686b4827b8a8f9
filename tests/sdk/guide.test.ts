import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { policy } from '@countersign/sdk/verify'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createWorld } from '../support/world.ts'

const root = new URL('../../', import.meta.url).pathname
const page = readFileSync(join(root, 'docs/sdk.md'), 'utf8')
const samples = Array.from(
  page.matchAll(/```ts\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/g),
  ([, code = '', printed = '']) => ({
    code,
    printed,
  }),
)

/** The samples of the README that need no certificate, bundle or page. */
const readme = Array.from(
  readFileSync(join(root, 'sdk/README.md'), 'utf8').matchAll(/```ts\n([\s\S]*?)```/g),
  ([, code = '']) => code,
).filter((code) => !/sdk\/(node|badge|integrity|signer)'/.test(code))

/** `…` replaces output that varies. */
const asPattern = (printed: string) =>
  new RegExp(`^${printed.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '\\S+')}$`)

it('every sample of the page about the SDK prints what the page shows, and those of the README run', async () => {
  expect(samples).toHaveLength(page.match(/^```ts$/gm)?.length ?? 0)
  expect(samples.length).toBeGreaterThan(8)
  const world = await createWorld()
  const acme = await world.provider('acme')
  const model_id = await acme.registerModel({ api_model_identifier: 'acme-chat' })
  const { verification_url, token } = await acme.client.verifications.create({ model_id })
  const values = { COUNTERSIGN_API_KEY: acme.apiKey, LINK: verification_url, TOKEN: token }
  for (const [name, value] of Object.entries(values)) vi.stubEnv(name, value)
  const print = vi.spyOn(console, 'log').mockImplementation(() => {})
  // Beside the package, so that it can import itself by its name.
  const folder = await mkdtemp(join(root, 'sdk', 'guide-'))
  onTestFinished(async () => {
    vi.unstubAllEnvs()
    vi.restoreAllMocks()
    await rm(folder, { recursive: true })
  })
  const local = (text: string) =>
    text.replaceAll('https://registry.example', world.address).replaceAll('mdl_06dh0e3x7c9bw4vjz2n8qk5ytm', model_id)
  for (const [index, { code, printed }] of samples.entries()) {
    print.mockClear()
    const file = join(folder, `sample-${index}.ts`)
    await writeFile(file, local(code))
    await import(file)
    expect(print.mock.calls.map((line) => `${line.join(' ')}\n`).join('')).toMatch(asPattern(local(printed)))
  }
  expect(readme.length).toBeGreaterThan(4)
  const printed: string[] = []
  print.mockImplementation((...line) => void printed.push(line.join(' ')))
  for (const [index, code] of readme.entries()) {
    const file = join(folder, `readme-${index}.ts`)
    await writeFile(file, local(code))
    await import(file)
  }
  expect(printed).toEqual([expect.stringContaining(`${world.address}/v/`), 'Not verified not_found', 'not_verified'])
})

it('documents every rule of a policy', () => {
  const [, known = ''] = /known: (.*)$/.exec(refusalOf(() => policy({ colour: 'red' } as never))) ?? []
  const explained = [...page.matchAll(/^\| `(\w+)(?:: [\w']+)?` \| /gm)].map(([, rule]) => rule)
  expect([...explained, 'now'].sort()).toEqual(known.split(', ').sort())
})

const refusalOf = (work: () => unknown) => {
  try {
    work()
  } catch (error) {
    return String(error)
  }
  return ''
}
