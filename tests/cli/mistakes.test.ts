import { describe, expect, it } from 'vitest'
import { createSelfSigned } from '../support/certificates.ts'
import { createWorld } from '../support/world.ts'
import { createCommandLine, errorOf } from './process.ts'

const nobodysModel = 'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm'
const nobodysDeployment = 'dep_06dh0e3x7c9bw4vjz2n8qk5ytm'

/** A provider with one model, and the command line in its name. */
const createDesk = async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const model_id = await acme.registerModel({ api_model_identifier: 'tiny' })
  const cli = await createCommandLine(world.address)
  const env = { COUNTERSIGN_API_KEY: acme.apiKey }
  const call = (...args: string[]) => cli.call(args, { env })
  const fail = async (...args: string[]) => {
    const outcome = await call(...args, '--json')
    expect(outcome.stdout, args.join(' ')).toBe('')
    return errorOf(outcome)
  }
  const json = async (...args: string[]) => JSON.parse((await call(...args, '--json')).stdout)
  const writeCredential = async (name: string) => {
    const { cert, key } = await createSelfSigned(`${name}.acme.example`)
    return { cert: await cli.write(`${name}.pem`, cert), key: await cli.write(`${name}.key`, key) }
  }
  return { world, acme, model_id, cli, call, fail, json, writeCredential }
}

describe('a deployment', () => {
  it('is not registered where one of its models does not exist, is another’s or withdrawn', async () => {
    const { world, acme, model_id, fail, writeCredential, json } = await createDesk()
    const foreign = await (await world.provider('northwind')).registerModel()
    const withdrawn = await acme.registerModel({ api_model_identifier: 'old' })
    await acme.client.models.archive(withdrawn, {})
    const { cert } = await writeCredential('chat')
    for (const wrong of [nobodysModel, foreign, 'unheard-of']) {
      const error = await fail('deployments', 'register', '--cert', cert, '--model', model_id, '--model', wrong)
      expect(error).toMatchObject({ code: 'not_found', exit_code: 5 })
      expect(error.message).toContain(wrong)
    }
    expect(await fail('deployments', 'register', '--cert', cert, '--model', withdrawn)).toMatchObject({ code: 'model_archived' })
    expect((await json('deployments', 'list')).deployments).toEqual([])
  })

  it('that does not exist is told from a model that does not', async () => {
    const { model_id, acme, fail } = await createDesk()
    const { deployment_id } = await acme.registerDeployment()
    for (const command of ['authorize', 'revoke']) {
      const missing = await fail('deployments', command, nobodysDeployment, '--model', model_id)
      expect(missing).toMatchObject({ code: 'not_found', status: 404, message: expect.stringContaining(nobodysDeployment) })
      expect((await fail('deployments', command, deployment_id, '--model', nobodysModel)).message).toContain(nobodysModel)
    }
    for (const command of ['enable', 'disable', 'delete'])
      expect((await fail('deployments', command, nobodysDeployment)).message).toContain(nobodysDeployment)
  })

  it('whose key another provider has proven is never said to be acceptable', async () => {
    const { world, acme, model_id, cli, fail, writeCredential } = await createDesk()
    const tls = await world.startTls()
    const { cert, key } = await writeCredential('chat')
    const ca = await cli.write('ca.pem', tls.ca)
    const env = { COUNTERSIGN_API_KEY: acme.apiKey }
    await cli.call(['deployments', 'register', '--cert', cert, '--model', model_id], { env })
    const mtls = ['--cert', cert, '--key', key, '--tls-url', tls.url, '--ca', ca]
    expect((await cli.call(['tokens', 'mint', '--model', model_id, ...mtls], { env })).exit).toBe(0)
    expect((await fail('deployments', 'register', '--cert', cert)).hint).toContain('--if-not-exists')
    const northwind = { COUNTERSIGN_API_KEY: (await world.provider('northwind')).apiKey }
    for (const more of [[], ['--if-not-exists']]) {
      const refused = errorOf(await cli.call(['deployments', 'register', '--cert', cert, ...more, '--json'], { env: northwind }))
      expect(refused).toMatchObject({ code: 'deployment_exists', exit_code: 6 })
      expect(`${refused.message}${refused.hint}`).not.toContain('--if-not-exists')
    }
  })
})
