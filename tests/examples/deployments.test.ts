import { copyFile, writeFile } from 'node:fs/promises'
import { Agent } from 'node:https'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ask } from '../support/ask.ts'
import { createAuthority, createSelfSigned } from '../support/certificates.ts'
import { copyExample } from '../support/examples.ts'
import { itInFull } from '../support/full.ts'
import { createWorld } from '../support/world.ts'

itInFull(
  'rotate-certificate: both keys are accepted during the change, no mint fails, and the old key is disabled',
  async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const model_id = await acme.registerModel()
    const tls = await world.startTls()
    const example = await copyExample('rotate-certificate', world.address)
    const write = (name: string, text: string) => writeFile(join(example.folder, name), text)
    await write('ca.crt', tls.ca)
    for (const name of ['old', 'new']) {
      const { cert, key } = await createSelfSigned(`${name}.acme.example`)
      await write(`${name}.crt`, cert)
      await write(`${name}.key`, key)
    }
    const env = {
      // As the README says.
      COUNTERSIGN_API_KEY: (
        await acme.client.keys.create({ name: 'rotation', scopes: ['read', 'deployments', 'links'] })
      ).api_key,
      COUNTERSIGN_TLS_URL: tls.url,
      COUNTERSIGN_CA_FILE: join(example.folder, 'ca.crt'),
      MODEL_ID: model_id,
    }
    const registered = await example.run(
      `countersign deployments register --cert old.crt --label region=eu --model ${model_id} -q`,
      env,
    )
    const [oldId = ''] = registered.output.split('\n')
    const use = async (name: string) => {
      // A careless copy: for a moment the key and the certificate do not match.
      await copyFile(join(example.folder, `${name}.crt`), join(example.folder, 'server.crt'))
      await copyFile(join(example.folder, `${name}.key`), join(example.folder, 'server.key'))
    }
    await use('old')

    const server = example.start('exec node server.ts', { ...env, EVERY_MS: '20' })
    let minted = ''
    let errors = ''
    let look = () => {}
    server.stdout.on('data', (chunk) => {
      minted += chunk
      look()
    })
    server.stderr.on('data', (chunk) => (errors += chunk))
    const ended = new Promise<number | null>((resolve) => server.on('close', resolve))
    /** Waits for new links of a deployment. */
    const links = (of: (id: string) => boolean) => {
      const from = minted.length
      return new Promise<void>((resolve, reject) => {
        look = () => {
          if (
            minted
              .slice(from)
              .split('\n')
              .filter((line) => line.includes(' mtls ') && of(line.split(' ')[0] ?? '')).length > 2
          )
            resolve()
        }
        void ended.then(() => reject(new Error(errors)))
      })
    }
    await links((id) => id === oldId)

    const steps = await example.readSteps({
      'https://registry.example': world.address,
      'https://tls.registry.example': tls.url,
    })
    const [begin = '', finish = ''] = steps
    const lacks = (program: string, settings: Record<string, string>) =>
      example.run(`node ${program}`, settings).then(({ exit, output }) => `${exit} ${output}`)
    const { MODEL_ID, ...withoutModel } = env
    expect(
      await Promise.all([
        lacks('rotate.ts begin old neww', env),
        lacks('rotate.ts begin old', env),
        lacks('rotate.ts begin old new', { MODEL_ID }),
        lacks('server.ts', withoutModel),
      ]),
    ).toEqual([
      '2 Missing: neww.crt, neww.key\n',
      '2 Usage: node rotate.ts begin|finish OLD NEW\n',
      '2 Missing: COUNTERSIGN_API_KEY, COUNTERSIGN_TLS_URL\n',
      '2 Missing: MODEL_ID\n',
    ])
    expect(await example.run(finish, env)).toMatchObject({
      exit: 1,
      output: expect.stringContaining('nothing was changed'),
    })
    expect(await example.run(begin, env)).toMatchObject({ exit: 0, output: expect.stringContaining('both accepted') })
    expect((await example.run(begin, env)).exit).toBe(0)
    const { deployments } = await acme.client.deployments.list()
    expect(deployments).toHaveLength(2)
    expect(
      deployments.every(
        ({ labels, authorized_models }) => labels.region === 'eu' && authorized_models[0]?.id === model_id,
      ),
    ).toBe(true)

    await use('new')
    await links((id) => id !== oldId)
    expect(await example.run(finish, env)).toMatchObject({ exit: 75, output: expect.stringContaining('used recently') })
    const [lastOld = ''] =
      minted
        .split('\n')
        .findLast((line) => line.startsWith(oldId))
        ?.split(' ')
        .slice(-1) ?? []
    expect(await world.anyone.verifications.get(lastOld)).toMatchObject({ result: 'verified' })

    world.clock.advance('17m')
    expect(await example.run(finish, env)).toMatchObject({
      exit: 0,
      output: expect.stringContaining('no longer accepted'),
    })
    await links((id) => id !== oldId)
    server.kill()
    expect(await ended, errors).toBe(0)
  },
  120_000,
)

// Other systems have only one loopback address, so the proxy could not have its own.
it.skipIf(process.platform !== 'linux')(
  'mtls-behind-a-proxy: the certificate seen by the proxy proves the deployment; a header from anyone else proves nothing',
  async () => {
    // The proxy has its own address, as on a network.
    const world = await createWorld({ clientCertProxies: [{ address: '127.0.0.2', prefix: 32, family: 'ipv4' }] })
    const acme = await world.provider('acme')
    const model_id = await acme.registerModel({ require_deployment_proof: true })
    const example = await copyExample('mtls-behind-a-proxy', world.address)
    const write = (name: string, text: string) => writeFile(join(example.folder, name), text)
    const authority = await createAuthority()
    await write('ca.crt', authority.cert)
    for (const [name, { cert, key }] of [
      ['proxy', await authority.issueServer()],
      ['client', await createSelfSigned('chat.acme.example')],
    ] as const) {
      await write(`${name}.crt`, cert)
      await write(`${name}.key`, key)
    }
    const [start = ''] = await example.readSteps({ 'https://registry.example': world.address })
    const startProxy = (command: string) => {
      const proxy = example.start(command, { PORT: '0', LOCAL_ADDRESS: '127.0.0.2' })
      onTestFinished(() => void proxy.kill())
      let errors = ''
      proxy.stderr.on('data', (chunk) => (errors += chunk))
      return new Promise<string>((resolve, reject) => {
        proxy.stdout.on('data', (chunk: Buffer) => resolve(`https://127.0.0.1:${/\d+/.exec(chunk.toString())?.[0]}`))
        proxy.on('close', () => reject(new Error(errors)))
      })
    }
    const proxy = await startProxy(start.replace('node', 'exec node'))

    const values = { 'https://registry.example': world.address, 'https://tls.registry.example': proxy }
    const [, check = ''] = await example.readSteps(values)
    const { api_key } = await acme.client.keys.create({ name: 'proxy', scopes: ['read', 'deployments', 'links'] })
    const env = {
      COUNTERSIGN_API_KEY: api_key,
      MODEL_ID: model_id,
      NODE_EXTRA_CA_CERTS: join(example.folder, 'ca.crt'),
    }
    expect(await example.run('node check.ts')).toEqual({
      exit: 2,
      output: 'Missing: PROXY_URL, COUNTERSIGN_API_KEY, MODEL_ID\n',
    })
    expect(await example.run('node proxy.ts', { TLS_KEY_FILE: 'none' })).toEqual({
      exit: 2,
      output: 'Missing: REGISTRY_URL, none\n',
    })
    const checked = await example.run(check, env)
    expect(checked).toMatchObject({ exit: 0, output: expect.stringContaining('through the proxy: proxy') })
    expect(checked.output.match(/^ok: /gm)).toHaveLength(4)
    expect((await acme.client.account.verifications({})).verifications).toMatchObject([{ deployment_binding: 'proxy' }])
    const agent = new Agent({ ca: authority.cert, keepAlive: false })
    for (const _ of [1, 2]) expect(await ask(`${proxy}/`, { agent })).toMatchObject({ status: 200, isResumed: false })
    agent.destroy()

    // The example detects a proxy that passes on headers from clients.
    const careless = await example.run(
      `sed 's/!forged.test(name) && //' proxy.ts > careless.ts && cmp -s proxy.ts careless.ts || echo changed`,
    )
    expect(careless.output).toBe('changed\n')
    const other = await startProxy(start.replace('node proxy.ts', 'exec node careless.ts'))
    const caught = await example.run(check.replaceAll(proxy, other), env)
    expect(caught).toMatchObject({
      exit: 1,
      output: expect.stringContaining('WRONG: with another certificate in the header, through the proxy: proxy'),
    })
  },
  120_000,
)
