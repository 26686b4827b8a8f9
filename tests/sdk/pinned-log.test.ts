import { generateKeyPairSync, sign } from 'node:crypto'
import { createClient } from '@countersign/sdk'
import { formatProof, formatVkey } from '@countersign/sdk/log'
import { formatEntry, hideText } from '@countersign/sdk/log/entries'
import { checkLink, pinLog } from '@countersign/sdk/log/pin'
import { createTestKey, issueTestToken } from '@countersign/sdk/testing'
import { createVerifier, policy } from '@countersign/sdk/verify'
import { expect, it } from 'vitest'
import { describeOnSqlite } from '../support/databases.ts'
import { logPolicyOf } from '../support/log-policies.ts'
import { operateLog } from '../support/operate-log.ts'
import { createTestLog, type TestLog } from '../support/transparency-log.ts'
import { createWorld } from '../support/world.ts'

const createScene = async ({ isPublic = true } = {}) => {
  const world = await createWorld({ clientCertProxies: [{ address: '127.0.0.1', prefix: 32, family: 'ipv4' }] })
  const acme = await world.provider('acme')
  const model_id = await acme.registerModel({ is_public: isPublic })
  const { spki_fingerprint } = await acme.registerDeployment([model_id])
  const mint = () =>
    acme.client.verifications.create({ model_id }, { headers: { 'X-Client-Cert-Fingerprint': spki_fingerprint } })
  const { token, verification_url } = await mint()
  const own = `${await logPolicyOf(world)}quorum none\n`
  const answeredBy = (url: string) => fetch(url.replace(world.publicUrl, world.address))
  const lookUp: typeof fetch = (input) => answeredBy(String(input))
  const jwks = await world.anyone.signing.jwks()
  const options = { issuer: world.publicUrl, jwks, now: () => world.clock.now() }
  const verify = (log = pinLog(own, { fetch: lookUp })) => createVerifier({ ...options, log }).verify(token)
  return { world, token, verification_url, own, lookUp, jwks, options, mint, verify }
}

describeOnSqlite('a verifier with a pinned log', () => {
  it('accepts a token once every fact behind it is logged', async () => {
    const { world, verify } = await createScene()
    expect(await verify()).toMatchObject({ result: 'unknown', log: { state: 'being_logged' } })
    world.clock.advance('61s')
    expect(await verify()).toMatchObject({ result: 'not_verified', reason: 'not_logged' })
    await world.registry.transparency.sequence()
    const verdict = await verify()
    expect(verdict).toMatchObject({ result: 'verified', log: { state: 'logged' } })
    expect(verdict.checks.at(-1)).toMatchObject({ check: 'log', passed: true })
    expect(policy({ logged: true, now: () => world.clock.now() })(verdict)).toEqual({ allowed: true, violations: [] })
  })

  it('follows the announced keys of a log that changed its key, and no others', async () => {
    const { world, own, lookUp, mint, options } = await createScene()
    await world.registry.transparency.sequence()
    world.clock.advance('1s')
    await operateLog(world, 'rotate')
    await world.registry.transparency.sequence()
    world.clock.advance('31d')
    await world.provider('northwind')
    await world.registry.transparency.sequence()
    await world.jobs.run('domains')
    const { token } = await mint()
    const jwks = await world.anyone.signing.jwks()
    const check = async (fetch: typeof globalThis.fetch) =>
      (await createVerifier({ ...options, jwks, log: pinLog(own, { fetch }) }).verify(token)).log
    const withoutAnnouncement: typeof fetch = async (input) =>
      String(input).includes('.well-known') ? Response.json({ successors: ['no proof', 1] }) : lookUp(input)
    expect(await check(lookUp)).toMatchObject({ state: 'logged' })
    expect(await check(withoutAnnouncement)).toMatchObject({ state: 'not_logged' })
  })

  it('rejects a token of a private version', async () => {
    const { world, verify } = await createScene({ isPublic: false })
    await world.registry.transparency.sequence()
    expect(await verify()).toMatchObject({
      result: 'not_verified',
      reason: 'not_logged',
      log: { state: 'logged_privately' },
    })
  })

  it.each([
    { name: 'does not answer', answer: () => Promise.reject(new Error('No route')) },
    { name: 'answers with an error', answer: async () => new Response('{}', { status: 503 }) },
    { name: 'redirects', answer: async () => Response.redirect('https://northwind.example/', 302) },
    { name: 'answers no proofs', answer: async () => Response.json({ facts: [{ fact: 'version' }] }) },
    { name: 'answers no JSON', answer: async () => new Response('<html>') },
  ])('could not check if the registry $name', async ({ answer }) => {
    const { own, verify } = await createScene()
    expect(await verify(pinLog(own, { fetch: answer }))).toMatchObject({
      result: 'unknown',
      reason: 'keys_unavailable',
      log: { state: 'could_not_check' },
    })
  })

  it('rejects a token whose key is not the one that was logged under its ID', async () => {
    const { world, token, own, lookUp, jwks, options, verification_url } = await createScene()
    await world.registry.transparency.sequence()
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const { x = '' } = publicKey.export({ format: 'jwk' })
    const signed = token.split('.').slice(0, 2).join('.')
    const forged = `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`
    // The registry that serves this key would answer with the proofs of the genuine link.
    const lie: typeof fetch = (input) => lookUp(String(input).replace(forged, verification_url.split('/').at(-1) ?? ''))
    const stolen = { keys: jwks.keys.map((key) => ({ ...key, x })) }
    const given = { ...options, jwks: stolen }
    expect(await createVerifier(given).verify(forged)).toMatchObject({ result: 'verified' })
    expect(await createVerifier({ ...given, log: pinLog(own, { fetch: lie }) }).verify(forged)).toMatchObject({
      result: 'not_verified',
      reason: 'not_logged',
      log: { detail: 'The logged key did not sign the token' },
    })
  })

  it('rejects entries that name their fields in their type and have none', async () => {
    const key = await createTestKey()
    const issuer = 'https://registry.example'
    const { token, claims } = await issueTestToken({ iss: issuer, deployment_binding: 'mtls' }, { key })
    const [signing] = key.jwks.keys
    const log = createTestLog('registry.example/log')
    const at = '2026-11-29T10:00:00.000Z'
    const entries = [
      [`domain ${claims.provider_domain}`, { at, type: 'domain.proven company_name domain method provider', v: 1 }],
      ['version', { at, type: 'version.registered digest display_name identifier model provider version', v: 1 }],
      ['key', { at, kid: signing?.kid, type: 'registry_key.added', v: 1, x: signing?.x }],
      [`authorization ${claims.model_id}`, { at, type: 'deployment.authorized deployment model provider spki', v: 1 }],
    ] as const
    log.append(...entries.map(([, entry]) => Buffer.from(JSON.stringify(entry))))
    const checkpoint = await log.checkpoint()
    const facts = entries.map(async ([fact, entry], index) => ({
      fact,
      state: 'logged',
      entry: JSON.stringify(entry),
      disclosures: [],
      proof: formatProof({ index, hashes: await log.inclusion(index), checkpoint }),
    }))
    const fetch = async () => Response.json({ facts: await Promise.all(facts) })
    const pinned = pinLog(`log ${formatVkey(log.signer.key)}\nquorum none\n`, { fetch })
    expect(await createVerifier({ issuer, jwks: key.jwks, log: pinned }).verify(token)).toMatchObject({
      result: 'not_verified',
      reason: 'not_logged',
      log: { detail: 'Invalid entry' },
    })
  })

  it('rejects facts of different logs, even if the policy names both', async () => {
    const key = await createTestKey()
    const [issuer, domain, name] = ['https://lying.example', 'bank.example', 'Bank']
    const given = { iss: issuer, provider_domain: domain, model_identifier: name, version: name }
    const { token, claims } = await issueTestToken(given, { key })
    const { provider_id: provider, model_id: model, model_digest: digest = null } = claims
    const { kid = '', x = '' } = key.jwks.keys[0] ?? {}
    const salt = new Uint8Array(32).fill(7)
    const hidden = (field: string) => hideText(field, name, salt)
    const base = { v: 1, at: '2026-11-29T10:00:00.000Z' } as const
    const version = {
      identifier: hidden('identifier'),
      version: hidden('version'),
      display_name: hidden('display_name'),
    }
    const genuine = [
      formatEntry({
        ...base,
        type: 'domain.proven',
        provider,
        domain,
        method: 'dns',
        company_name: hidden('company_name'),
      }),
      formatEntry({ ...base, type: 'version.registered', provider, model, digest, ...version }),
    ]
    const own = formatEntry({ ...base, type: 'registry_key.added', kid, x })
    const [honest, lying] = [createTestLog('honest.example/log'), createTestLog('lying.example/log')]
    honest.append(...genuine)
    lying.append(own, ...genuine)
    const shown = async (log: TestLog, index: number, fact: string) => ({
      fact,
      state: 'logged',
      entry: new TextDecoder().decode(log.entries[index]),
      disclosures: ['identifier', 'version'].map((field) => ({
        field,
        salt: Buffer.from(salt).toString('base64url'),
        value: name,
      })),
      proof: formatProof({ index, hashes: await log.inclusion(index), checkpoint: await log.checkpoint() }),
    })
    const both = `log ${formatVkey(honest.signer.key)}\nlog ${formatVkey(lying.signer.key)}\nquorum none\n`
    const verify = async (log: TestLog, at: number) => {
      const places = [
        [log, at, `domain ${domain}`],
        [log, at + 1, 'version'],
        [lying, 0, 'key'],
      ] as const
      const facts = await Promise.all(places.map(([from, index, fact]) => shown(from, index, fact)))
      const pinned = pinLog(both, { fetch: async () => Response.json({ facts }) })
      return createVerifier({ issuer, jwks: key.jwks, log: pinned }).verify(token)
    }
    expect(await verify(lying, 1)).toMatchObject({ result: 'verified', log: { state: 'logged' } })
    expect(await verify(honest, 0)).toMatchObject({ result: 'not_verified', log: { state: 'not_logged' } })
  })

  it('stops when the caller does, and rejects a policy without a log', async () => {
    const { own, options, token } = await createScene()
    const stop = new AbortController()
    const hang: typeof fetch = (_, init) =>
      new Promise((_, reject) => {
        init?.signal?.addEventListener('abort', () => reject(new Error('Stopped')))
        stop.abort(new Error('Enough'))
      })
    const verifier = createVerifier({ ...options, log: pinLog(own, { fetch: hang }) })
    await expect(verifier.verify(token, { signal: stop.signal })).rejects.toThrow('Enough')
    expect(() => pinLog('quorum none\n')).toThrow('names no log')
    const mistyped = pinLog(own.replace(/\+[\da-f]{8}\+/, '+00000000+'))
    await expect(createVerifier({ ...options, log: mistyped }).verify(token)).rejects.toThrow('Malformed verifier key')
  })
})

describeOnSqlite('a link that was checked online', () => {
  it('meets the rule only if the pinned log has its facts, regardless of what the registry says', async () => {
    const { world, verification_url, own, lookUp } = await createScene()
    await world.registry.transparency.sequence()
    const client = createClient({ baseURL: world.address })
    const now = () => world.clock.now()
    const verdict = await client.verifications.check(verification_url, { issuer: world.publicUrl, now })
    if (verdict.result !== 'verified') throw new Error(verdict.reason)
    expect(verdict.verification.log.state).toBe('logged')
    const decide = policy({ logged: true, now })
    expect(decide(verdict)).toMatchObject({ allowed: false, violations: [{ rule: 'logged', found: null }] })
    const asked = { link: verification_url, issuer: world.publicUrl }
    const log = await checkLink(own, verdict.verification, asked, { fetch: lookUp })
    expect(decide({ ...verdict, log })).toEqual({ allowed: true, violations: [] })

    for (const lie of [{ model_digest: null }, { version: '9.9' }, { name: 'Atlas Ultra' }]) {
      const other = { ...verdict.verification, model: { ...verdict.verification.model, ...lie } }
      expect(await checkLink(own, other as typeof verdict.verification, asked, { fetch: lookUp })).toMatchObject({
        state: 'not_logged',
      })
    }
  })
})

describeOnSqlite('a link whose names the registry withholds', () => {
  it('is confirmed by the log, because its identifier is', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const { domain_proof } = await acme.client.domains.add({ domain: 'bank.example' })
    const prove = async (records: string[]) => {
      world.dns.setTxt(domain_proof.record_name, records)
      await acme.client.domains.verify('bank.example', {})
    }
    await prove([domain_proof.record_value])
    const model_id = await acme.registerModel({
      api_model_identifier: 'chat',
      display_name: 'Chat for bank.example',
      version: '2.0 for bank.example',
    })
    const mint = () => acme.client.verifications.create({ model_id })
    const before = await mint()
    await prove([])
    const after = await mint()
    await world.registry.transparency.sequence()
    const { bound_token } = await world.anyone.verifications.bind(before.token, { response_text: 'I am Acme.' })
    const own = `${await logPolicyOf(world)}quorum none\n`
    const options = { fetch: ((input) => fetch(String(input).replace(world.publicUrl, world.address))) as typeof fetch }
    const verifier = createVerifier({
      issuer: world.publicUrl,
      jwks: await world.anyone.signing.jwks(),
      now: () => world.clock.now(),
      log: pinLog(own, options),
    })
    for (const token of [before.token, after.token, bound_token])
      expect(await verifier.verify(token)).toMatchObject({ result: 'verified', log: { state: 'logged' } })
    for (const { verification_url: link } of [before, after]) {
      const record = await world.anyone.verifications.get(link)
      expect(record.model).toMatchObject({ name: 'chat', version: '#1' })
      expect(await checkLink(own, record, { link, issuer: world.publicUrl }, options)).toMatchObject({
        state: 'logged',
      })
    }
  })
})
