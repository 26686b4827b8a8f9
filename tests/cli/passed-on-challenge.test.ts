import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ecKeys } from '../support/sigstore/keys.ts'
import { createWorld } from '../support/world.ts'
import { createQuickCommandLine } from './in-process.ts'

it('signs no challenge that a registry relays from another one', async () => {
  const world = await createWorld()
  const thief = await world.provider('thief')
  const keys = ecKeys()
  const public_key = keys.publicKey.export({ type: 'spki', format: 'pem' }).toString().trim()
  const declared = await thief.client.signers.declare({ signer: { kind: 'key', public_key } })
  const answers: Record<string, unknown> = {
    '/api/v1/providers/me': await thief.client.providers.me(),
    [`/api/v1/providers/me/signers/${declared.id}/challenge`]: await thief.client.signers.challenge(declared.id, {}),
  }
  const requests: string[] = []
  const rogue = createServer((request, response) => {
    const path = request.url ?? ''
    requests.push(path)
    request.resume()
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answers[path] ?? declared))
  })
  await new Promise<void>((listening) => rogue.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void rogue.close())
  const address = rogue.address()
  const cli = await createQuickCommandLine(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
  await cli.write('key.pem', keys.privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const env = { COUNTERSIGN_API_KEY: thief.apiKey }
  for (const command of [
    ['signers', 'add', '--key', 'key.pem'],
    ['signers', 'prove', declared.id, '--key', join(cli.folder, 'key.pem')],
    ['signers', 'prove', declared.id],
  ])
    expect(await cli.call(command, { env })).toMatchObject({
      exit: 2,
      stdout: '',
      stderr: expect.stringContaining('nothing was signed'),
    })
  expect(requests).toContain(`/api/v1/providers/me/signers/${declared.id}/challenge`)
  expect(requests.filter((path) => path.endsWith('/prove'))).toEqual([])
})
