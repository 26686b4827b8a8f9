import { createHash } from 'node:crypto'
import { publisherIssuers } from '@countersign/sdk/contract'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import type { ProviderActor } from '../support/actors.ts'
import { createSelfSigned } from '../support/certificates.ts'
import { githubJob } from '../support/ci-issuer.ts'
import { isFull, itInFull } from '../support/full.ts'
import { commit } from '../support/hub-server.ts'
import { createReader, sampleFiles } from '../support/samples.ts'
import { ecKeys } from '../support/sigstore/keys.ts'
import { createWorld, type World } from '../support/world.ts'

type Language = 'curl' | 'cli' | 'ts'

interface Outcome {
  exit: number
  stdout: string
  stderr: string
}

interface Scene {
  world: World
  acme: ProviderActor
  reader: Awaited<ReturnType<typeof createReader>>
  language: Language
}

/** The reader's starting point, and what must be true afterwards. */
interface Prepared {
  /** Replacements for the registry's address and the samples' IDs. */
  values?: Record<string, string>
  env?: Record<string, string>
  exit?: Partial<Record<Language, number>>
  check: (outcome: Outcome) => unknown
}

const sampleId = (prefix: string) => `${prefix}_06dh0e3x7c9bw4vjz2n8qk5ytm`
const sampleCode = 'W904-2CKW-GDNC-X7S1'
const weights = Buffer.from('the weights of a small model')
const weightsDigest = `sha256:${createHash('sha256').update(weights).digest('hex')}`

/** For command lines, the exit code is the check. */
const saysVerified = {
  curl: /"result":"verified"/,
  cli: /^(Verified|Company confirmed)/m,
  ts: /^verified( not_checked)?$|^Verified: acme\.example$/m,
}

const registered = async ({ acme }: Scene, input = {}) => {
  const model_id = await acme.registerModel({ api_model_identifier: 'acme-chat', ...input })
  return { model_id, values: { [sampleId('mdl')]: model_id } }
}

const minted = async (scene: Scene, input = {}) => {
  const { model_id, values } = await registered(scene)
  const link = await scene.acme.client.verifications.create({ model_id, ...input })
  const code = link.verification_url.split('/').at(-1) ?? ''
  return { model_id, link, values: { ...values, [sampleCode]: code } }
}

const latestModel = async ({ acme }: Scene) => {
  const [model] = await acme.client.providers.models(acme.id, {}).toArray()
  return model
}

const withCertificate = async ({ reader }: Scene) => {
  const credential = await createSelfSigned('chat.acme.example')
  await reader.write('client.crt', credential.cert)
  await reader.write('client.key', credential.key)
}

const topics: Record<string, (scene: Scene) => Promise<Prepared>> = {
  'register-provider': async ({ world, language }) => ({
    env: { COUNTERSIGN_API_KEY: '' },
    check: async ({ stdout }) => {
      expect(stdout).toContain('_countersign.acme.example')
      if (language !== 'cli') expect(stdout).toMatch(/csk_/)
      const listed = await world.anyone.providers.list({}).toArray()
      expect(listed.map(({ company_name }) => company_name)).toEqual(expect.arrayContaining(['Acme AI']))
    },
  }),
  'quick-start': async (scene) => ({
    check: async ({ stdout }) => {
      expect(stdout).toMatch(/\/v\/[0-9A-Z-]{19}/)
      expect(stdout).toMatch(saysVerified[scene.language])
      expect(await latestModel(scene)).toMatchObject({ api_model_identifier: 'acme-chat' })
      const { verifications } = await scene.acme.client.account.verifications({})
      expect(verifications).toHaveLength(1)
    },
  }),
  authentication: async ({ acme }) => ({ check: ({ stdout }) => expect(stdout).toContain(acme.id) }),
  'restricted-key': async ({ acme }) => ({
    check: async ({ stdout }) => {
      expect(stdout).toMatch(/csk_/)
      const made = (await acme.client.keys.list()).find(({ name }) => name === 'chat servers')
      expect(made).toMatchObject({ scopes: ['links'], expires_at: expect.any(String) })
    },
  }),
  'trusted-publisher': async ({ acme }) => ({
    check: async () =>
      expect((await acme.client.publishers.list()).publishers).toMatchObject([
        { workflow: 'release.yml', environment: 'release' },
      ]),
  }),
  'publish-from-job': async (scene) => {
    const { world, acme, language } = scene
    const { issuer, vouch } = world.jobIssuer
    await acme.client.publishers.add({ kind: 'github', issuer, repository: 'acme/models', workflow: 'release.yml' })
    await scene.reader.write('model.safetensors', weights)
    return {
      values: { [sampleId('prv')]: acme.id },
      env: { COUNTERSIGN_API_KEY: '', COUNTERSIGN_ID_TOKEN: vouch(world.publicUrl, githubJob()) },
      check: async ({ stdout }) => {
        if (language === 'curl')
          return expect(JSON.parse(stdout)).toMatchObject({ token_type: 'Bearer', expires_in: 900 })
        expect(await latestModel(scene)).toMatchObject({ api_model_identifier: 'acme-chat' })
      },
    }
  },
  'verify-domain': async ({ world }) => {
    const northwind = await world.provider('northwind', { isVerified: false })
    northwind.publishProof()
    return {
      env: { COUNTERSIGN_API_KEY: northwind.apiKey },
      check: async () =>
        expect(await northwind.client.providers.me()).toMatchObject({ domain_verification_method: 'dns' }),
    }
  },
  'register-model': async (scene) => {
    await scene.reader.write('model.safetensors', weights)
    return {
      check: async () =>
        expect(await latestModel(scene)).toMatchObject({
          display_name: 'Acme Chat',
          model_digest: weightsDigest,
          context_window: 128_000,
          capabilities: ['text-generation', 'conversation'],
        }),
    }
  },
  'model-versioning': async (scene) => {
    const { model_id, values } = await registered(scene)
    await scene.acme.registerDeployment([model_id])
    return {
      values,
      check: async () => {
        const { client } = scene.acme
        const latest = await client.models.latest(model_id)
        expect(latest).toMatchObject({ version: '2.0.0', predecessor_id: model_id })
        expect((await client.models.deployments(latest.id, {})).deployments).toHaveLength(1)
        expect(await client.models.get(model_id)).toMatchObject({
          archived_at: expect.any(String),
          archive_reason: 'Replaced by 2.0.0',
        })
      },
    }
  },
  'deployment-management': async (scene) => {
    const { model_id, values } = await registered(scene)
    await withCertificate(scene)
    return {
      values,
      check: async () =>
        expect((await scene.acme.client.deployments.list({})).deployments).toMatchObject([
          { labels: { region: 'eu' }, authorized_models: [{ id: model_id }] },
        ]),
    }
  },
  'prove-deployment': async (scene) => {
    const { model_id, values } = await registered(scene)
    await withCertificate(scene)
    const own = await scene.reader.call(['deployments', 'register', '--cert', 'client.crt', '--model', model_id], {
      env: { COUNTERSIGN_API_KEY: scene.acme.apiKey },
    })
    expect(own).toMatchObject({ exit: 0 })
    const tls = await scene.world.startTls()
    const ca = await scene.reader.write('ca.crt', tls.ca)
    return {
      values: { ...values, 'https://tls.registry.example': tls.url },
      env: { CURL_CA_BUNDLE: ca, COUNTERSIGN_CA_FILE: ca, NODE_EXTRA_CA_CERTS: ca },
      check: async () =>
        expect((await scene.acme.client.account.verifications({})).verifications).toMatchObject([
          { deployment_binding: 'mtls' },
        ]),
    }
  },
  'sigstore-bundle': async (scene) => {
    const { model_id, values } = await registered(scene, { model_digest: weightsDigest })
    const { privateKey, publicKey } = ecKeys()
    await scene.reader.write('model.safetensors', weights)
    await scene.reader.write('key.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }))
    await scene.reader.write('public.pem', publicKey.export({ type: 'spki', format: 'pem' }))
    const signed = ['bundles', 'sign', 'model.safetensors', '--key', 'key.pem', '--output', 'model.sig']
    if (scene.language !== 'cli') expect((await scene.reader.call(signed)).exit).toBe(0)
    return {
      values,
      check: async () =>
        expect(await scene.world.anyone.bundles.status(model_id)).toMatchObject({ bundle_status: 'verified' }),
    }
  },
  'huggingface-integration': async (scene) => {
    const { world, language } = scene
    const readme = '# Atlas\n\nA small model that answers questions about maps.\n'
    world.hub.publish('acme/atlas', {
      sha: commit('a'),
      pipeline_tag: 'text-generation',
      cardData: { language: ['en'] },
      contents: { 'README.md': { content: readme }, 'model.safetensors': { content: 'large', storage: 'lfs' } },
    })
    const values = language === 'cli' ? {} : (await registered(scene)).values
    return {
      values,
      env: { HF_ENDPOINT: world.hub.endpoint },
      check: async () =>
        expect(await latestModel(scene)).toMatchObject({
          huggingface_model_id: 'acme/atlas',
          capabilities: ['text-generation'],
        }),
    }
  },
  'health-monitoring': async (scene) => {
    const { model_id, values } = await registered(scene)
    return {
      values,
      check: async () =>
        expect(await scene.acme.client.models.health(model_id)).toMatchObject({
          health_check_enabled: true,
          interval_seconds: 300,
        }),
    }
  },
  'create-verification': async (scene) => ({
    values: (await registered(scene)).values,
    check: async ({ stdout }) => {
      expect(stdout).toMatch(/\/v\/[0-9A-Z-]{19}/)
      expect((await scene.acme.client.account.verifications({})).verifications).toMatchObject([
        {
          challenge: 'blue otter 42',
          origin: 'https://chat.acme.example',
          metadata: scene.language === 'cli' ? null : { conversation: 'c-1042' },
        },
      ])
    },
  }),
  'bind-response': async (scene) => {
    const { values, link } = await minted(scene)
    return {
      values,
      env: { TOKEN: link.token },
      check: async () =>
        expect((await scene.acme.client.account.verifications({})).verifications).toContainEqual(
          expect.objectContaining({ bound_to_response: true }),
        ),
    }
  },
  'verify-token': async (scene) => ({
    values: (await minted(scene)).values,
    check: ({ stdout }) => {
      expect(stdout).toMatch(saysVerified[scene.language])
      expect(stdout).toContain('acme.example')
    },
  }),
  'verify-offline': async (scene) => {
    const { values, link } = await minted(scene)
    return {
      values,
      env: { TOKEN: link.token },
      check: ({ stdout }) => expect(stdout).toMatch(saysVerified[scene.language]),
    }
  },
  'update-profile': async ({ acme, reader }) => {
    const picture = sharp({ create: { width: 64, height: 64, channels: 3, background: { r: 20, g: 90, b: 160 } } })
    await reader.write('logo.png', await picture.png().toBuffer())
    return {
      values: { [sampleId('prv')]: acme.id },
      check: async () =>
        expect(await acme.client.providers.me()).toMatchObject({
          description: 'Maps and questions',
          founded_year: 2019,
          headquarters: 'Oslo, Norway',
          contact_email: 'help@acme.example',
          logo_url: expect.any(String),
        }),
    }
  },
  'incident-reporting': async (scene) => ({
    values: (await minted(scene)).values,
    env: { COUNTERSIGN_API_KEY: '' },
    check: async () =>
      expect((await scene.acme.client.incidents.list({})).incidents).toMatchObject([
        { is_verified_report: true, severity: 'high', category: 'harmful_content' },
      ]),
  }),
  'incident-response': async (scene) => {
    const { model_id } = await registered(scene)
    const { incident_id } = await scene.world.anyone.incidents.report({
      model_id,
      category: 'other',
      title: 'It is slow',
      description: 'It took a minute.',
    })
    return {
      values: { [sampleId('inc')]: incident_id },
      check: async () =>
        expect(await scene.acme.client.incidents.get(incident_id)).toMatchObject({
          status: 'resolved',
          provider_response: 'Fixed in version 2.0.1.',
        }),
    }
  },
  'error-handling': async (scene) => ({
    values: (await minted(scene)).values,
    exit: { curl: 22 },
    check: ({ stdout, stderr }) =>
      scene.language === 'cli'
        ? expect(stdout).toBe('verified\n')
        : expect(stdout + stderr).toMatch(/not the ID of a model/),
  }),
  lists: async (scene) => {
    await registered(scene, { display_name: 'Atlas Chat' })
    return { check: ({ stdout }) => expect(stdout).toContain('Atlas Chat') }
  },
  'hand-out-link': async (scene) => ({
    values: (await registered(scene)).values,
    check: ({ stdout }) => expect(stdout).toMatch(/Check me here within 15 minutes: http.*\/v\/[0-9A-Z-]{19}\n$/),
  }),
  gate: async (scene) => {
    const { values, link } = await minted(scene)
    return { values, env: { LINK: link.verification_url }, check: ({ stdout }) => expect(stdout).toMatch(/Go on\n$/) }
  },
  pipeline: async (scene) => {
    await scene.reader.write('model.safetensors', weights)
    return { check: async () => expect(await latestModel(scene)).toMatchObject({ model_digest: weightsDigest }) }
  },
  'client-options': async () => ({ check: ({ stdout }) => expect(stdout).toMatch(/^Acme Labs req_/) }),
}

/** Pages are tested in a browser: see `tests/web/docs.test.ts`. */
const programs = sampleFiles.flatMap(({ language, ...sample }) =>
  language === 'html' ? [] : [{ ...sample, language }],
)

/** One language of every second topic; all of them in a full run. */
const isTried = ({ topic, language }: (typeof programs)[number]) => {
  const languages = programs.filter((other) => other.topic === topic).map((other) => other.language)
  const turn = Object.keys(topics).indexOf(topic)
  return isFull || (turn % 2 === 0 && language === languages[(turn / 2) % languages.length])
}

describe('the samples of the documentation', () => {
  it('are each run by a test, and every tested sample is shown', () => {
    expect(new Set(programs.map(({ topic }) => topic))).toEqual(new Set(Object.keys(topics)))
  })

  it.each(programs.filter(isTried))('do what they say: $file', async ({ file, topic, language }) => {
    // The default issuer if a sample names none; it gets no request.
    const world = await createWorld({ oidcIssuers: [{ kind: 'github', issuer: publisherIssuers.github }] })
    const acme = await world.provider(topic === 'register-provider' ? 'northwind' : 'acme')
    const reader = await createReader(world.address)
    const prepare = topics[topic]
    if (!prepare) throw new Error(`No test for ${topic}`)
    const { values, env, exit, check } = await prepare({ world, acme, reader, language })
    const outcome = await reader.run(
      file,
      { ...values, 'https://registry.example': world.address },
      { COUNTERSIGN_API_KEY: acme.apiKey, ...env },
    )
    expect({ exit: outcome.exit, ...(outcome.exit !== 0 && outcome) }).toMatchObject({ exit: exit?.[language] ?? 0 })
    await check(outcome)
  })

  itInFull('of a pipeline can be repeated', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const reader = await createReader(world.address)
    await reader.write('model.safetensors', weights)
    for (const _ of [1, 2]) {
      const { exit } = await reader.run('pipeline.cli.sh', {}, { COUNTERSIGN_API_KEY: acme.apiKey })
      expect(exit).toBe(0)
    }
  })
})
