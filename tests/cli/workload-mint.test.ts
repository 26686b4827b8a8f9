import { expect, it } from 'vitest'
import { createWorldWithIssuer } from '../support/world-with-issuer.ts'
import { createQuickCommandLine } from './in-process.ts'

/** The owner's terminal, and a job of a platform with an issuer, each with its own home. */
const createScene = async () => {
  const { ci, world } = await createWorldWithIssuer('other')
  const acme = await world.provider('acme')
  const model = await acme.registerModel({ api_model_identifier: 'tiny', require_deployment_proof: true })
  const [owner, job] = [await createQuickCommandLine(world.publicUrl), await createQuickCommandLine(world.publicUrl)]
  /** Tokens use the real clock, which cannot be moved. */
  const catchUp = () => world.clock.advance(`${Math.max(0, Date.now() - world.clock.now())}ms`)
  const own = (...args: string[]) => owner.call(args, { env: { COUNTERSIGN_API_KEY: acme.apiKey } })
  const inJob = (args: string[]) => {
    catchUp()
    return job.call(['tokens', 'mint', ...args], { env: ci.environment() })
  }
  return { ci, world, acme, model, own, inJob, job, catchUp }
}

it('goes from an identity of the platform to a proven link in three commands, with no stored secret', async () => {
  const { ci, acme, model, own, inJob, job, catchUp } = await createScene()
  const added = await own('deployments', 'trust', 'add', '--issuer', ci.issuer, '--subject', 'job', '--model', 'tiny')
  expect(added).toMatchObject({
    exit: 0,
    stderr: expect.stringContaining(
      `countersign tokens mint --model ${model} --workload-token FILE --provider ${acme.id}`,
    ),
  })
  const minted = await inJob(['--model', model, '--workload-token', 'env', '--provider', acme.id, '--json'])
  expect(minted).toMatchObject({ exit: 0 })
  const link = JSON.parse(minted.stdout)
  expect(link).toMatchObject({ deployment_binding: 'workload' })
  const checked = await job.call(['verify', link.verification_url, '--require-deployment-proof'])
  expect(checked).toMatchObject({ exit: 0 })

  catchUp()
  const token = await ci.token(new URL(link.verification_url).origin)
  const args = ['--model', model, '--workload-token', '-', '--url']
  const call = () =>
    job.call(['tokens', 'mint', ...args], { env: { COUNTERSIGN_PROVIDER_ID: acme.id }, stdin: `${token}\n` })
  expect(await call()).toMatchObject({ exit: 0, stdout: expect.stringContaining('/v/') })
  expect(await call()).toMatchObject({ exit: 4, stderr: expect.stringContaining('already used') })
})

it('says how to trust a server, what its token is for, and which options are wrong', async () => {
  const { ci, acme, model, own, inJob } = await createScene()
  const args = ['--model', model, '--workload-token', 'env', '--provider', acme.id]
  const stranger = await inJob(args)
  expect(stranger.exit).toBe(4)
  expect(stranger.stderr.replace(/\s+/g, ' ')).toContain(`deployments trust add --issuer ${ci.issuer} --subject `)
  const trust = ['deployments', 'trust', 'add', '--issuer', ci.issuer, '--subject', 'job', '--audience']
  expect((await own(...trust, 'https://else.example')).exit).toBe(0)
  expect((await inJob(args)).stderr).toMatch(/trust it with --audience/)
  for (const [wrong, said] of [
    [['--model', model, '--workload-token', 'env'], 'Missing: --provider'],
    [['--model', model, '--workload-token', 'env', '--provider', 'acme'], '"acme" is not a provider ID'],
    [[...args, '--sign-key', 'chat.key'], '--workload-token needs no other key'],
  ] as [string[], string][])
    expect(await inJob(wrong)).toMatchObject({ exit: 2, stderr: expect.stringContaining(said) })
})
