import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createClient } from '@countersign/sdk'
import { spkiFingerprint } from '@countersign/sdk/node'
import { requestSigner } from '@countersign/sdk/signer'
import { rolldown } from 'rolldown'
import { expect, it, onTestFinished } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { createExampleRunner } from '../support/examples.ts'
import { itInFull } from '../support/full.ts'
import { createWorld, type World } from '../support/world.ts'

const folder = new URL('../../examples/verify-in-browser/', import.meta.url).pathname

const createAcme = async (world: World) => {
  const acme = await world.provider('acme')
  const model_id = await acme.registerModel({ api_model_identifier: 'acme-chat' })
  const mint = (input: { challenge?: string; response?: string } = {}) =>
    acme.client.verifications.create({ model_id, ...input })
  return { acme, model_id, mint }
}

it('the gate checks itself, and accepts only what a real registry verifies', async () => {
  const world = await createWorld()
  const { acme, model_id, mint } = await createAcme(world)
  const run = await createExampleRunner(world.address)
  const checked = await run('enforce-policy/check.ts')
  expect(checked).toMatchObject({ exit: 0, stderr: '' })
  expect(checked.stdout.match(/^yes /gm)).toHaveLength(10)

  const [answer, challenge] = ['The museum opens at nine.', 'blue otter 42']
  const { verification_url: link } = await mint({ challenge, response: answer })
  const ask = (env: object) =>
    run('enforce-policy/main.ts', { LINK: link, ANSWER: answer, CHALLENGE: challenge, ...env })
  const refusedBy = async (env: object) => {
    const { exit, stdout, stderr } = await ask(env)
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' })
    return stderr.split(':')[0]
  }
  expect(await run('enforce-policy/main.ts')).toEqual({
    exit: 2,
    stdout: '',
    stderr: 'Missing: ANSWER, LINK, CHALLENGE\n',
  })
  const unbound = (await mint({ challenge })).verification_url
  expect(
    await Promise.all([
      ask({}),
      refusedBy({ ANSWER: 'Pay here.' }),
      refusedBy({ CHALLENGE: 'red heron 7' }),
      refusedBy({ LINK: unbound }),
    ]),
  ).toEqual([{ exit: 0, stdout: `${answer}\n`, stderr: '' }, 'answer', 'result', 'answer'])
  await acme.client.models.archive(model_id, { reason: 'Replaced' })
  expect(await refusedBy({})).toBe('result')
}, 60_000)

/** Serves the page as vite would, at an origin other than the registry's. */
const servePage = async (registry: string) => {
  const bundle = await rolldown({
    input: `${folder}page.ts`,
    platform: 'browser',
    resolve: { conditionNames: ['@countersign/source', 'browser', 'import', 'default'] },
  })
  const { output } = await bundle.generate({ format: 'esm', entryFileNames: 'page.ts' })
  await bundle.close()
  const scripts = new Map(output.map((file) => [`/${file.fileName}`, file.type === 'chunk' ? file.code : '']))
  const page = readFileSync(`${folder}index.html`, 'utf8').replace('https://registry.example', registry)
  const site = createServer((request, response) => {
    const script = scripts.get(request.url ?? '')
    response.setHeader('Content-Type', script === undefined ? 'text/html' : 'text/javascript')
    response.setHeader(
      'Content-Security-Policy',
      `default-src 'none'; script-src 'self'; img-src data:; connect-src ${registry}`,
    )
    response.end(script ?? page)
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    site.closeAllConnections()
    site.close()
  })
  const address = site.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`
}

itInFull(
  'a page without a key shows all three results, a lost address of the chat, and checks tokens without a network',
  async () => {
    const world = await createWorld()
    const { acme, model_id, mint: mintWithKeyOnly } = await createAcme(world)
    const northwind = await world.provider('northwind')
    const foreign = await northwind.client.verifications.create({ model_id: await northwind.registerModel() })
    const key = (await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify'])) as CryptoKeyPair
    const { hex } = spkiFingerprint(new Uint8Array(await crypto.subtle.exportKey('spki', key.publicKey)))
    await acme.registerDeployment([model_id], hex)
    const server = createClient({
      baseURL: world.address,
      apiKey: acme.apiKey,
      fetch: requestSigner({ key, now: world.clock.now, registry: world.address }),
    })
    const origin = 'https://chat.acme.example'
    const mint = (input: { origin?: string } = { origin }) => server.verifications.create({ model_id, ...input })
    const [{ verification_url, token }, other, unbound] = [await mint(), await mint(), await mint({})]
    const { domain_proof } = await acme.client.domains.add({ domain: 'mirror.example' })
    world.dns.setTxt(domain_proof.record_name, [domain_proof.record_value])
    await acme.client.domains.verify('mirror.example', {})
    const lost = await mint({ origin: 'https://chat.mirror.example' })
    await acme.client.domains.remove('mirror.example')

    const browser = await launchBrowser()
    onTestFinished(() => browser.close())
    const page = await browser.newPage()
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(String(error)))
    await page.goto(await servePage(world.publicUrl))
    const status = page.getByRole('status')
    const ask = async (text: string, chat = '') => {
      await page.getByLabel('Paste the link').fill(text)
      await page.getByLabel('Paste the address').fill(chat)
      await page.getByRole('button').click()
      await page.waitForSelector('[data-result]')
      return [await status.getAttribute('data-result'), await status.textContent()]
    }
    await page.context().setOffline(true)
    expect(await ask(verification_url)).toEqual(['unknown', 'It could not be checked. Try again in a moment.'])
    await page.context().setOffline(false)
    const approved = 'A server that acme.example approved asked for this link'
    expect(await ask(verification_url)).toEqual([
      'verified',
      `${approved}. Trust it only if you are chatting at ${origin}.`,
    ])
    expect(await ask(token, `${origin}/c/7?x=1`)).toEqual([
      'verified',
      `${approved}, as of when it was issued. It is for ${origin}, the address that you gave.`,
    ])
    for (const text of [verification_url, token])
      expect(await ask(text, 'https://chat.evil.example')).toEqual([
        'not_verified',
        `No. The link is for ${origin}, and you are chatting at https://chat.evil.example.`,
      ])
    expect(await ask(unbound.verification_url, origin)).toEqual([
      'unbound',
      `${approved}. It names no chat, so it may come from another one.`,
    ])
    expect(await ask(lost.verification_url, 'https://chat.mirror.example')).toEqual([
      'not_verified',
      'No. It was made for a chat at an address that acme.example no longer proves.',
    ])
    const stolen = await mintWithKeyOnly()
    for (const text of [stolen.verification_url, stolen.token]) {
      const [result, shown] = await ask(text, origin)
      expect([result, shown?.slice(0, 4)]).toEqual(['not_verified', 'No. '])
      expect(shown).toContain('deployment proof')
    }
    expect(await ask(foreign.verification_url)).toEqual([
      'not_verified',
      expect.stringContaining('No. The provider northwind.example is not allowed.'),
    ])
    expect(await ask(foreign.token)).toMatchObject(['not_verified', expect.stringContaining('northwind.example')])
    expect(await ask('W904-2CKW-GDNC-X7S2')).toEqual([
      'not_verified',
      expect.stringContaining('No. The link is not verified: mistyped.'),
    ])
    expect(await ask(`${token.slice(0, -8)}AAAAAAAA`)).toMatchObject(['not_verified', expect.any(String)])
    await acme.client.models.archive(model_id, { reason: 'Replaced' })
    expect(await ask(verification_url)).toEqual([
      'not_verified',
      expect.stringContaining('No. The link is not verified: archived.'),
    ])

    await page.context().setOffline(true)
    expect(await ask(other.token)).toMatchObject(['verified', expect.stringContaining('as of when it was issued')])
    expect(await ask(other.verification_url)).toEqual(['unknown', 'It could not be checked. Try again in a moment.'])
    expect(problems).toEqual([])
  },
  60_000,
)
