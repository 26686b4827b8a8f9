import { describe, expect, it } from 'vitest'
import { createWorld } from '../support/world.ts'
import { createQuickCommandLine } from './in-process.ts'

/** A folder from someone else, such as a cloned repository, with a project file. */
const createFolder = async (fields: Readonly<Record<string, unknown>>) => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const model_id = await acme.registerModel({ api_model_identifier: 'acme-chat' })
  world.dns.setTxt('_countersign.evil.example', [`countersign-origin=${acme.id}`])
  const cli = await createQuickCommandLine(world.address)
  await cli.write('.countersign.json', JSON.stringify(fields))
  const call = (...args: string[]) => cli.call(args, { env: { COUNTERSIGN_API_KEY: acme.apiKey } })
  return { world, model_id, call }
}

describe('the project file of a repository', () => {
  it('does not choose the origin of a link, and the command says so', async () => {
    const { world, model_id, call } = await createFolder({ origin: 'https://chat.evil.example' })
    const { exit, stdout, stderr } = await call('tokens', 'mint', '--model', model_id, '--url')
    expect(exit).toBe(0)
    expect((await world.anyone.verifications.get(stdout.trim())).origin).toBeNull()
    expect(stderr).toMatch(/^warning: .*\.countersign\.json may not set origin; ignored\. Use --origin\n$/)

    const own = await call('tokens', 'mint', '--model', model_id, '--url', '--origin', 'https://chat.acme.example')
    expect((await world.anyone.verifications.get(own.stdout.trim())).origin).toBe('https://chat.acme.example')
  })

  it('does not authorize servers for a new version', async () => {
    const { call } = await createFolder({ copy_authorizations: true })
    const about = [
      '--display-name',
      'Chat',
      '--endpoint',
      'https://api.acme.example',
      '--description',
      'A model for chat',
    ]
    const next = ['--identifier', 'acme-chat', ...about, '--new-version', '--version', '2', '--dry-run', '--json']
    const { stdout } = await call('models', 'register', ...next)
    expect(JSON.parse(stdout).body).not.toHaveProperty('copy_authorizations')
    const given = await call('models', 'register', ...next, '--copy-authorizations')
    expect(JSON.parse(given.stdout).body).toMatchObject({ copy_authorizations: true })
  })

  it('does not choose who owns a new account', async () => {
    const { call } = await createFolder({ email: 'ops@evil.example' })
    const named = ['--company-name', 'Acme AI', '--website', 'https://acme.example', '--dry-run', '--no-save']
    expect(await call('providers', 'register', ...named)).toMatchObject({
      exit: 2,
      stderr: expect.stringMatching(/Use --email[\s\S]*Missing: --email/),
    })
  })
})
