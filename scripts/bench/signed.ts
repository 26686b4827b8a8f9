import { createHash, randomBytes, sign } from 'node:crypto'
import { signatureBase } from '@countersign/sdk/signer'
import { createAuthority, createSelfSigned } from '../../tests/support/certificates.ts'
import { measure, type Report, ratioOfRounds } from './goal.ts'
import { freePort, startLoad } from './processes.ts'
import { describeSamples, rates, ratioOfCpu, runRounds } from './rounds.ts'
import { mintBody, mintRequest, type Tenant, type World } from './world.ts'

/** Enough for a round; a faster machine ends it early. */
const requestCount = 6_000
const certificateCount = 200

const digestOf = (body: string) => createHash('sha256').update(body).digest('base64')

/** A request that is valid for a minute, once. */
const signedRequest = (issuer: string, tenant: Tenant, number: number): string => {
  const body = mintBody(tenant, number)
  const created = Math.floor(Date.now() / 1_000)
  const values = {
    '@method': 'POST',
    '@target-uri': `${issuer}/api/v1/create-verification`,
    'content-digest': `sha-256=:${digestOf(body)}:`,
    'countersign-key': `:${tenant.pair.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}:`,
  }
  const names = Object.keys(values).map((name) => `"${name}"`)
  const parameters = `(${names.join(' ')});created=${created};expires=${created + 60};nonce="${created.toString(16)}${randomBytes(12).toString('hex')}";keyid="${tenant.fingerprint}";alg="ecdsa-p256-sha256";tag="countersign-mint"`
  const base = signatureBase(
    Object.entries(values).map(([name, value]) => [`"${name}"`, value]),
    parameters,
  )
  const signature = sign('sha256', Buffer.from(base), { key: tenant.pair.privateKey, dsaEncoding: 'ieee-p1363' })
  return mintRequest(
    tenant,
    body,
    `Content-Digest: ${values['content-digest']}`,
    `Countersign-Key: ${values['countersign-key']}`,
    `Signature-Input: mint=${parameters}`,
    `Signature: mint=:${signature.toString('base64')}:`,
  )
}

/** The keys of deployments, each in a certificate of its own. */
const issueCertificates = (tenants: readonly Tenant[]) =>
  Promise.all(
    tenants.map(async ({ domain, pair }) => {
      const kind = { name: 'ECDSA', namedCurve: 'P-256' }
      const [privateKey, publicKey] = await Promise.all([
        crypto.subtle.importKey(
          'pkcs8',
          new Uint8Array(pair.privateKey.export({ type: 'pkcs8', format: 'der' })),
          kind,
          true,
          ['sign'],
        ),
        crypto.subtle.importKey(
          'spki',
          new Uint8Array(pair.publicKey.export({ type: 'spki', format: 'der' })),
          kind,
          true,
          ['verify'],
        ),
      ])
      return createSelfSigned(domain, { privateKey, publicKey })
    }),
  )

/**
 * Measures what a signature adds to minting: beside an API key with a header that names the deployment, which makes the same link, beside an
 * API key alone, and beside a TLS handshake for each link.
 */
export const measureSigned = async (world: World): Promise<Report> => {
  const { tenants, issuer } = world
  const tenantAt = (number: number) => tenants[number % tenants.length] as Tenant
  const requests = (count: number, make: (tenant: Tenant, number: number) => string) =>
    JSON.stringify(Array.from({ length: count }, (_, number) => make(tenantAt(number), number)))
  let file = 0
  const freshlySigned = () =>
    world.write(
      `signed-${++file}.json`,
      requests(requestCount, (tenant, number) => signedRequest(issuer, tenant, number)),
    )
  const bearer = requests(2_000, (tenant, number) => mintRequest(tenant, mintBody(tenant, number)))
  const named = requests(2_000, (tenant, number) =>
    mintRequest(tenant, mintBody(tenant, number), `X-Client-Cert-Fingerprint: ${tenant.fingerprint}`),
  )
  const alone = requests(certificateCount, (tenant, number) =>
    mintRequest(tenant, mintBody(tenant, number), 'Connection: close'),
  )
  const credentials = await issueCertificates(tenants.slice(0, certificateCount))
  const { cert, key } = await (await createAuthority()).issueServer()
  const tlsPort = await freePort()

  const load = await startLoad()
  const tls = {
    TLS_PORT: String(tlsPort),
    TLS_CERT_FILE: world.write('tls-cert.pem', cert),
    TLS_KEY_FILE: world.write('tls-key.pem', key),
  }
  // Signatures are verified in another thread, so it may use every core.
  const registry = await world.startRegistry(world.copy('signed'), tls, 'any')
  try {
    const contenders = [
      { server: { ...registry, name: 'API key, named' }, file: world.write('named.json', named), status: 201 },
      { server: { ...registry, name: 'API key alone' }, file: world.write('bearer.json', bearer), status: 201 },
      { server: { ...registry, name: 'signed' }, file: freshlySigned, status: 201 },
      {
        server: { ...registry, name: 'mutual TLS', port: tlsPort },
        file: world.write('alone.json', alone),
        credentials: world.write('credentials.json', JSON.stringify(credentials)),
        status: 201,
      },
    ]
    const samples = await runRounds(load, contenders, 25)
    const [namedRates, bearerRates, signedRates, tlsRates] = samples.map(rates)
    return {
      measured: [
        // The same link: by the API key alone, it would have no deployment.
        measure(
          { goal: 'SIGNED', name: 'signed mint / mint by API key, deployment named', floor: 0.8, target: 0.9 },
          ratioOfRounds(signedRates ?? [], namedRates ?? []),
        ),
        measure(
          { goal: 'SIGNED', name: 'signed mint / mutual TLS, a connection each', floor: 1, target: 2 },
          ratioOfRounds(signedRates ?? [], tlsRates ?? []),
        ),
      ],
      details: [
        ...describeSamples(contenders, samples),
        `Signed mint / mint by API key alone, without a deployment: ${ratioOfRounds(signedRates ?? [], bearerRates ?? []).toFixed(2)}.`,
        `CPU per link, divided by that of a signed one: deployment named ${ratioOfCpu(samples[2], samples[0])}, API key alone ${ratioOfCpu(samples[2], samples[1])}, mutual TLS ${ratioOfCpu(samples[2], samples[3])}.`,
        `CPU of the event loop, divided by that of a signed link: deployment named ${ratioOfCpu(samples[2], samples[0], 'loopUs')}, API key alone ${ratioOfCpu(samples[2], samples[1], 'loopUs')}.`,
      ],
    }
  } finally {
    await Promise.all([load.stop(), registry.kill()])
  }
}
