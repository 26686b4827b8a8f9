import { describe, expect, it } from 'vitest'
import { createSelfSigned } from '../support/certificates.ts'
import { createWorld } from '../support/world.ts'
import { createQuickCommandLine } from './in-process.ts'
import { errorOf } from './process.ts'

const nobodysModel = 'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm'
const nobodysDeployment = 'dep_06dh0e3x7c9bw4vjz2n8qk5ytm'

/** A provider with one model, and the command line using its key. */
const createDesk = async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const model_id = await acme.registerModel({ api_model_identifier: 'tiny' })
  const cli = await createQuickCommandLine(world.address)
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
  it('is not registered if one of its models is missing, withdrawn or another provider’s', async () => {
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
    expect(await fail('deployments', 'register', '--cert', cert, '--model', withdrawn)).toMatchObject({
      code: 'model_archived',
    })
    expect((await json('deployments', 'list')).deployments).toEqual([])
  })

  it('that does not exist is distinguished from a missing model', async () => {
    const { model_id, acme, fail } = await createDesk()
    const { deployment_id } = await acme.registerDeployment()
    for (const [command, ...more] of [['authorize'], ['revoke', '--yes']] as const) {
      const missing = await fail('deployments', command, nobodysDeployment, '--model', model_id, ...more)
      expect(missing).toMatchObject({
        code: 'not_found',
        status: 404,
        message: expect.stringContaining(nobodysDeployment),
      })
      expect((await fail('deployments', command, deployment_id, '--model', nobodysModel, ...more)).message).toContain(
        nobodysModel,
      )
    }
    for (const [command, ...more] of [['show'], ['enable'], ['disable', '--yes'], ['delete', '--yes']])
      expect((await fail('deployments', command ?? '', nobodysDeployment, ...more)).message).toContain(
        nobodysDeployment,
      )
  })

  it('whose key another provider has proven is never called acceptable', async () => {
    const { world, acme, model_id, cli, fail, writeCredential } = await createDesk()
    const tls = await world.startTls()
    const { cert, key } = await writeCredential('chat')
    const ca = await cli.write('ca.pem', tls.ca)
    const env = { COUNTERSIGN_API_KEY: acme.apiKey }
    await cli.call(['deployments', 'register', '--cert', cert, '--model', model_id], { env })
    const mtls = ['--cert', cert, '--key', key, '--tls-url', tls.url, '--ca', ca]
    expect((await cli.call(['tokens', 'mint', '--model', model_id, ...mtls], { env })).exit).toBe(0)
    expect(await fail('deployments', 'register', '--cert', cert)).toMatchObject({
      message: expect.stringMatching(/^dep_\w+ already has this key$/),
      hint: expect.stringContaining('--if-not-exists'),
    })
    const northwind = { COUNTERSIGN_API_KEY: (await world.provider('northwind')).apiKey }
    for (const more of [[], ['--if-not-exists']]) {
      const refused = errorOf(
        await cli.call(['deployments', 'register', '--cert', cert, ...more, '--json'], { env: northwind }),
      )
      expect(refused).toMatchObject({ code: 'deployment_exists', exit_code: 6 })
      expect(`${refused.message}${refused.hint}`).not.toContain('--if-not-exists')
    }
  })
})

describe('minting', () => {
  it('with an unauthorized deployment prints the command that authorizes it', async () => {
    const { world, model_id, cli, fail, json, call, writeCredential } = await createDesk()
    const tls = await world.startTls()
    const { cert, key } = await writeCredential('chat')
    const mtls = ['--cert', cert, '--key', key, '--tls-url', tls.url, '--ca', await cli.write('ca.pem', tls.ca)]
    const hint = async () => {
      const error = await fail('tokens', 'mint', '--model', model_id, ...mtls)
      expect(error).toMatchObject({ code: 'deployment_not_authorized', status: 403, exit_code: 4 })
      return error.hint
    }
    expect(await hint()).toContain(`deployments register --cert ${cert}`)
    const { deployment_id } = await json('deployments', 'register', '--cert', cert)
    expect(await hint()).toContain(`deployments authorize ${deployment_id} --model ${model_id}`)
    await json('deployments', 'authorize', deployment_id, '--model', 'tiny')
    await json('deployments', 'disable', deployment_id, '--yes')
    expect(await hint()).toContain(`deployments enable ${deployment_id}`)
    await json('deployments', 'enable', deployment_id)
    expect((await call('tokens', 'mint', '--model', 'tiny', ...mtls)).exit).toBe(0)
  })

  it('with a certificate of another key, or without the registry’s own authority, says so', async () => {
    const { world, cli, fail, model_id, writeCredential } = await createDesk()
    const tls = await world.startTls()
    const [chat, other] = [await writeCredential('chat'), await writeCredential('other')]
    const mint = ['tokens', 'mint', '--model', model_id, '--tls-url', tls.url]
    const mixed = await fail(
      ...mint,
      '--ca',
      await cli.write('ca.pem', tls.ca),
      '--cert',
      chat.cert,
      '--key',
      other.key,
    )
    expect(mixed).toMatchObject({
      code: 'not_a_key',
      exit_code: 2,
      message: expect.stringContaining('does not belong'),
    })
    const readme = await cli.write('README.md', '# Acme')
    const broken = await cli.write('broken.pem', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n')
    for (const [given, message] of [
      [['--cert', readme, '--key', chat.key], `--cert: ${readme} is not a PEM certificate`],
      [['--cert', broken, '--key', chat.key], `--cert: ${broken} is not a PEM certificate`],
      [['--cert', chat.cert, '--key', chat.cert], `--key: ${chat.cert} is not a PEM private key`],
      [['--sign-key', chat.cert], `--sign-key: ${chat.cert} is not a PEM private key`],
    ] as const)
      expect(await fail(...mint, ...given)).toMatchObject({ code: 'not_a_key', exit_code: 2, message })
    const untrusted = await fail(...mint, '--cert', chat.cert, '--key', chat.key)
    expect(untrusted).toMatchObject({ code: 'network', exit_code: 8, hint: expect.stringMatching(/--tls-url.*--ca/) })
    expect(untrusted.message).toMatch(/certificate/)
    expect(untrusted.hint).not.toContain('--api-url')
  })

  it('shows the token only on request, and binding asks for the token', async () => {
    const { model_id, cli, call, fail, json } = await createDesk()
    const shown = await call('tokens', 'mint', '--model', model_id)
    expect(`${shown.stdout}${shown.stderr}`).not.toContain('eyJ')
    expect(shown.stdout).toContain('--token')
    // Alone, so that a script can keep it: TOKEN=$(countersign tokens mint … --token).
    expect((await call('tokens', 'mint', '--model', model_id, '--token')).stdout).toMatch(/^eyJ[\w-]+(\.[\w-]+){2}\n$/)
    for (const args of [['--url', '--token'], ['--url'], ['--token']])
      expect(await fail('tokens', 'mint', '--model', model_id, ...args)).toMatchObject({
        code: 'usage',
        exit_code: 2,
        message: expect.stringMatching(/^Use only one of --/),
      })
    const { verification_url, token } = await json('tokens', 'mint', '--model', model_id)
    const answer = await cli.write('answer.txt', 'Hello')
    for (const link of [verification_url, verification_url.slice(-19)]) {
      const refused = await fail('tokens', 'bind', link, '--file', answer)
      expect(refused).toMatchObject({
        code: 'usage',
        exit_code: 2,
        message: expect.stringContaining('requires the token, not the link'),
      })
    }
    expect((await call('tokens', 'bind', token, '--file', answer)).exit).toBe(0)
  })
})

describe('a model', () => {
  it('may be named by its identifier, which means the caller’s own latest version', async () => {
    const { world, acme, model_id, fail, json } = await createDesk()
    await (await world.provider('northwind')).registerModel({ api_model_identifier: 'theirs' })
    const second = await acme.registerModel({ api_model_identifier: 'tiny', version: '2.0.0', force_new_version: true })
    expect(await json('models', 'show', 'tiny')).toMatchObject({ id: second, version: '2.0.0' })
    expect(await json('models', 'show', model_id)).toMatchObject({ version: '1.0.0' })
    const { verification_url } = await json('tokens', 'mint', '--model', 'tiny')
    expect(await json('verify', verification_url)).toMatchObject({ model: { id: second } })
    for (const args of [
      ['models', 'show', 'theirs'],
      ['models', 'archive', 'Tiny', '--yes'],
      ['tokens', 'mint', '--model', 'theirs'],
    ])
      expect(await fail(...args)).toMatchObject({ code: 'not_found', exit_code: 5 })
    expect(await json('models', 'archive', 'tiny', '--yes')).toMatchObject({ id: second })
  })

  it('with an invalid name gets an explanation', async () => {
    const { fail } = await createDesk()
    for (const args of [
      ['models', 'show', 'mdl_nope'],
      ['tokens', 'mint', '--model', 'a/b'],
      ['tokens', 'mint', '--model', 'mdl_nope'],
    ]) {
      const { message, hint, exit_code } = await fail(...args)
      expect(exit_code).toBe(2)
      expect(message).toMatch(/neither a model ID \(mdl_/)
      expect(hint).toContain('models list')
    }
    const { message } = await fail('deployments', 'enable', 'chat')
    expect(message).toContain('dep_ and 26 characters')
  })

  it('inherits unset fields from the version before', async () => {
    const { acme, model_id, call, fail, json } = await createDesk()
    await acme.registerDeployment([model_id])
    const next = await call(
      'models',
      'register',
      '--identifier',
      'tiny',
      '--new-version',
      '--version',
      '2.0',
      '--display-name',
      'Tiny Two',
    )
    expect(next.exit).toBe(0)
    expect(next.stderr).toContain('1 authorized deployment;')
    const { endpoint, description } = await json('models', 'show', model_id)
    expect(await json('models', 'show', 'tiny')).toMatchObject({
      display_name: 'Tiny Two',
      version: '2.0',
      endpoint,
      description,
    })
    expect(next.stderr).toContain('“tiny 2.0” has no digest')
    const taken = await fail('models', 'register', '--identifier', 'tiny', '--new-version', '--version', '2.0')
    expect(taken).toMatchObject({ code: 'version_exists', exit_code: 6, message: expect.stringContaining('tiny 2.0') })
    expect(taken.hint).toMatch(/--version \d/)
    for (const args of [
      ['models', 'show', nobodysModel],
      ['tokens', 'mint', '--model', nobodysModel],
    ])
      expect(await fail(...args)).toMatchObject({
        code: 'not_found',
        status: 404,
        message: expect.stringContaining(nobodysModel),
      })
    const missing = await fail('models', 'register', '--identifier', 'new', '--new-version')
    expect(missing).toMatchObject({ code: 'not_found', message: 'You have no model new' })
  })
})

it('a change is named if there is none, and an ID of another form is rejected before asking the registry', async () => {
  const { fail } = await createDesk()
  const unknown = 'chg_06dh0e3x7c9bw4vjz2n8qk5ytm'
  for (const command of ['show', 'approve', 'reject', 'cancel']) {
    expect(await fail('changes', command, 'x'), command).toMatchObject({
      exit_code: 2,
      message: '"x" is not a change ID; change IDs are chg_ and 26 characters',
    })
    expect((await fail('changes', command, unknown)).exit_code, command).toBeGreaterThan(3)
  }
  expect(await fail('changes', 'show', unknown)).toMatchObject({
    exit_code: 5,
    message: `There is no change ${unknown}`,
  })
})
