import { expect, it } from 'vitest'
import { blocksOf } from '../support/pages.ts'
import { mintOverTls } from '../support/proven-link.ts'
import { createReader } from '../support/samples.ts'
import { createWorld } from '../support/world.ts'

const page = 'docs/check-links.md'

it('the program of docs/check-links.md relies on a proven link only, and says if it could not check', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const northwind = await world.provider('northwind')
  const challenge = 'blue otter 42'
  const mint = async (provider: typeof acme) => {
    const model_id = await provider.registerModel()
    return { model_id, ...(await provider.client.verifications.create({ model_id, challenge })) }
  }
  const [named, foreign] = [await mint(acme), await mint(northwind)]
  const { minted: proven } = await mintOverTls(world, acme, { model_id: named.model_id, challenge })

  const reader = await createReader(world.address)
  const [program = ''] = await blocksOf(page, 'js')
  const [, command = ''] = await blocksOf(page)
  const check = (LINK: string, { address = world.address, phrase = challenge } = {}) =>
    reader
      .write('check-link.mjs', program.replaceAll('https://registry.example', address))
      .then(() =>
        reader.execute(
          '/bin/sh',
          ['-euc', command.replace('node ', 'node --conditions=@countersign/source ').replace(challenge, phrase)],
          { LINK },
        ),
      )
  expect(await check(proven.verification_url)).toMatchObject({
    exit: 0,
    stdout: expect.stringMatching(/^acme\.example .*, until 20/),
  })
  expect(await check(proven.verification_url, { phrase: 'red otter' })).toMatchObject({
    exit: 3,
    stderr: expect.stringContaining('challenge should be red otter, but it is blue otter 42'),
  })
  expect(await check(named.verification_url)).toMatchObject({
    exit: 3,
    stderr: expect.stringContaining('deployment proof'),
  })
  expect(await check(foreign.verification_url)).toMatchObject({ exit: 3, stdout: '' })
  expect(await check('W904-2CKW-GDNC-X7S2')).toMatchObject({ exit: 3, stderr: expect.stringContaining('Do not rely') })
  expect(await check('W904-2CKW-GDNC-X7S1', { address: 'http://127.0.0.1:9' })).toMatchObject({ exit: 9 })
}, 60_000)
