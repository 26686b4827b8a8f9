import { createPublicKey, X509Certificate } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'
import { later, pemOf, sha256 } from './keys.ts'
import type { EntryKind, LogEntry, Recorded } from './log.ts'
import { createPrivateSigstore } from './private-sigstore.ts'

/** An identity provider's token with the claims a signer reads; the private authority accepts any. */
export const identityToken = (claims: { iss: string; sub: string; aud?: string }): string =>
  [
    'e30',
    Buffer.from(JSON.stringify({ aud: 'sigstore', exp: 4_102_444_800, ...claims })).toString('base64url'),
    'x',
  ].join('.')

const decode = (text: string) => Buffer.from(text, 'base64')

const SigningRequest = z.object({
  credentials: z.object({ oidcIdentityToken: z.string() }),
  publicKeyRequest: z.object({ publicKey: z.object({ content: z.string() }) }),
})
const Claims = z.object({ iss: z.string(), sub: z.string(), email: z.string().optional() })

const Envelope = z.object({
  payload: z.string(),
  payloadType: z.string(),
  signatures: z.array(z.object({ sig: z.string() })).min(1),
})
const Proposed = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('dsse'),
    spec: z.object({ proposedContent: z.object({ envelope: z.string(), verifiers: z.array(z.string()).min(1) }) }),
  }),
  z.object({
    kind: z.literal('hashedrekord'),
    spec: z.object({
      data: z.object({ hash: z.object({ value: z.string() }) }),
      signature: z.object({ content: z.string(), publicKey: z.object({ content: z.string() }) }),
    }),
  }),
])
const StampRequest = z.object({ artifactHash: z.string() })

/** The request format of Rekor v2. */
const Request = z.object({
  dsseRequestV002: z.object({
    envelope: Envelope,
    verifiers: z.tuple([z.object({ x509Certificate: z.object({ rawBytes: z.string() }) })]),
  }),
})

const keyOf = (pem: Buffer): Recorded['key'] => {
  if (pem.includes('CERTIFICATE')) return { certificate: new X509Certificate(pem).raw }
  return { publicKey: createPublicKey(pem).export({ type: 'spki', format: 'der' }) }
}

const recordedOf = (body: unknown): { kind: EntryKind; recorded: Recorded } => {
  const proposed = Proposed.parse(body)
  const none = Buffer.alloc(0)
  if (proposed.kind === 'hashedrekord') {
    const { data, signature } = proposed.spec
    const recorded = {
      signature: decode(signature.content),
      digest: Buffer.from(data.hash.value, 'hex'),
      payload: none,
      payloadType: '',
    }
    return { kind: 'hashedrekord/0.0.1', recorded: { ...recorded, key: keyOf(decode(signature.publicKey.content)) } }
  }
  const { envelope, verifiers } = proposed.spec.proposedContent
  const { payload, payloadType, signatures } = Envelope.parse(JSON.parse(envelope))
  const recorded = { signature: decode(signatures[0]?.sig ?? ''), digest: none, payload: decode(payload), payloadType }
  return { kind: 'dsse/0.0.1', recorded: { ...recorded, key: keyOf(decode(verifiers[0] ?? '')) } }
}

const requested = (body: unknown): Recorded => {
  const { envelope, verifiers } = Request.parse(body).dsseRequestV002
  const [{ x509Certificate }] = verifiers
  return {
    signature: decode(envelope.signatures[0]?.sig ?? ''),
    digest: Buffer.alloc(0),
    payload: decode(envelope.payload),
    payloadType: envelope.payloadType,
    key: { certificate: decode(x509Certificate.rawBytes) },
  }
}

const hexOf = (text: string) => decode(text).toString('hex')

/** The response format of Rekor v1. */
const answerOf = ({
  canonicalizedBody,
  integratedTime,
  logId,
  logIndex,
  inclusionProof,
  inclusionPromise,
}: LogEntry) => ({
  body: canonicalizedBody,
  integratedTime: Number(integratedTime),
  logID: hexOf(logId.keyId),
  logIndex: Number(logIndex),
  verification: {
    signedEntryTimestamp: inclusionPromise?.signedEntryTimestamp,
    inclusionProof: inclusionProof && {
      checkpoint: inclusionProof.checkpoint?.envelope,
      hashes: inclusionProof.hashes.map(hexOf),
      logIndex: Number(inclusionProof.logIndex),
      rootHash: hexOf(inclusionProof.rootHash),
      treeSize: Number(inclusionProof.treeSize),
    },
  },
})

interface Answer {
  status: number
  body: string | Buffer
  headers?: Record<string, string>
}
const json = (status: number, body: unknown, headers = {}): Answer => ({ status, body: JSON.stringify(body), headers })

/**
 * A private Sigstore on loopback, for programs that sign by themselves: Fulcio, Rekor v1 and v2, and timestamps at one
 * address. It uses the machine's clock.
 */
export const startSigstoreServer = async () => {
  const sigstore = await createPrivateSigstore()
  const entries = new Map<string, object>()
  const requests: string[] = []
  const faults = { conflict: false, refuse: new Set<string>() }

  const certify = async (text: string): Promise<Answer> => {
    const { credentials, publicKeyRequest } = SigningRequest.parse(JSON.parse(text))
    const [, payload = ''] = credentials.oidcIdentityToken.split('.')
    const { iss, sub, email } = Claims.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()))
    const publicKey = createPublicKey(publicKeyRequest.publicKey.content)
    const names = email ? [{ type: 'email' as const, value: email }] : [{ type: 'url' as const, value: sub }]
    // Like Fulcio for jobs of GitHub Actions.
    const repository = /^https:\/\/github\.com\/[^/]+\/[^/]+/.exec(sub)?.[0]
    const leaf = await sigstore.fulcio.issue({
      keys: { publicKey },
      from: later(new Date(), -1),
      names,
      issuer: iss,
      repository,
    })
    const certificates = [leaf, sigstore.fulcio.certificate].map((der) => pemOf('CERTIFICATE', der))
    return json(200, { signedCertificateEmbeddedSct: { chain: { certificates } } })
  }

  const record = (text: string): Answer => {
    const { kind, recorded } = recordedOf(JSON.parse(text))
    const uuid = sha256(recorded.signature).toString('hex')
    const location = `/api/v1/log/entries/${uuid}`
    if (entries.has(uuid)) return json(409, { code: 409, message: 'an equivalent entry already exists' }, { location })
    const entry = { [uuid]: answerOf(sigstore.log.record(kind, recorded, { time: new Date() })) }
    entries.set(uuid, entry)
    // As if the response had been lost, and the signer had repeated the request.
    return faults.conflict
      ? json(409, { code: 409, message: 'an equivalent entry already exists' }, { location })
      : json(201, entry, { location })
  }

  const answer = async (method: string, path: string, text: string): Promise<Answer> => {
    if (faults.refuse.has(path)) return json(400, { code: 400, message: 'refused' })
    if (path === '/api/v2/signingCert') return certify(text)
    if (path === '/api/v1/log/entries' && method === 'POST') return record(text)
    if (path === '/api/v2/log/entries')
      return json(201, sigstore.log.record('dsse/0.0.2', requested(JSON.parse(text)), { time: new Date() }))
    if (path === '/api/v1/timestamp') {
      const { artifactHash } = StampRequest.parse(JSON.parse(text))
      return { status: 201, body: await sigstore.stampDigest(decode(artifactHash), new Date()) }
    }
    const found = entries.get(path.slice(path.lastIndexOf('/') + 1))
    return found ? json(200, found) : json(404, { code: 404, message: 'no such thing' })
  }

  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/' } = request
    requests.push(`${method} ${url}`)
    const { status, body, headers } = await answer(method, url, await textOf(request)).catch((error) =>
      json(500, { message: String(error) }),
    )
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    trustedRoot: sigstore.trustedRoot,
    /** The requests, in order. */
    requests,
    /** `conflict`: entries are made, but answered with 409. `refuse`: paths that answer 400. */
    faults,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const textOf = async (request: IncomingMessage) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
