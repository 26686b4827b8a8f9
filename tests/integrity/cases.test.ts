import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BundleVerdict, DeclaredSigner } from '@countersign/sdk/contract'
import { byPathParts, readModelSigning, readTrustedRoot, rootDigest, verifyBundle } from '@countersign/sdk/integrity'
import { hashModel } from '@countersign/sdk/node'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

const folder = join(import.meta.dirname, '../fixtures/sigstore-cases')
const read = (path: string) => readFileSync(join(folder, path))

const text = z.string().optional()
const Case = z.object({
  id: z.string(),
  kind: z.enum(['bundle', 'oms-verify', 'oms-remote', 'oms-digest', 'oms-schema']),
  expect: z.enum(['pass', 'fail']),
  mode: text,
  bundle: text,
  artifact: text,
  digest: text,
  trusted_root: text,
  key: text,
  public_key: text,
  cert_chain: z.array(z.string()).optional(),
  identity: text,
  issuer: text,
  model: text,
  model_digest: text,
  ignore_paths: z.array(z.string()).default([]),
  expected_signed_files: z.array(z.string()).default([]),
  golden: text,
  shard_size: z.number().optional(),
})
type Case = z.infer<typeof Case>

const { cases } = z.object({ cases: z.array(Case) }).parse(JSON.parse(read('manifest.json').toString()))
const ofKind = (...kinds: Case['kind'][]) => cases.filter(({ kind }) => kinds.includes(kind))

const signerOf = ({ key, public_key, cert_chain, identity, issuer }: Case): DeclaredSigner => {
  const pem = key ?? public_key
  if (pem) return DeclaredSigner.parse({ kind: 'key', public_key: read(pem).toString() })
  if (!cert_chain) return DeclaredSigner.parse({ kind: 'identity', identity, issuer })
  return DeclaredSigner.parse({
    kind: 'certificate',
    certificate_chain: cert_chain.map((path) => read(path).toString()).join('\n'),
  })
}

const judge = (given: Case, digest: string | null) =>
  verifyBundle({
    bundle: read(given.bundle ?? ''),
    trustedRoot: readTrustedRoot(given.trusted_root ? read(given.trusted_root) : undefined),
    digest,
    signers: [signerOf(given)],
    // The certificates of the cases end in 2035.
    now: new Date('2026-11-21T00:00:00Z'),
  })

/** An attestation is a valid signature, but verifies no model. */
const isHeld = ({ status, reason }: BundleVerdict) => status === 'verified' || reason === 'attestation_only'

const sha256 = (bytes: Buffer) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`

const Golden = z.object({
  predicate: z.object({ resources: z.array(z.object({ name: z.string(), digest: z.string() })) }),
})

/** Files in pieces, which other signers may list. */
const shardsOf = (model: string, name: string, size: number) => {
  const bytes = read(join(model, name))
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => {
    const end = Math.min((index + 1) * size, bytes.length)
    return { name: `${name}:${index * size}:${end}`, digest: sha256(bytes.subarray(index * size, end)) }
  })
}

describe('external bundles', () => {
  it('are all 49 present', () => {
    expect(cases).toHaveLength(49)
  })

  it.each(ofKind('bundle', 'oms-remote'))('$id: $expect', (given) => {
    const digest =
      given.mode === 'artifact' ? sha256(read(given.artifact ?? '')) : (given.digest ?? given.model_digest ?? null)
    const verdict = judge(given, digest)
    expect(BundleVerdict.safeParse(verdict).error).toBeUndefined()
    expect(isHeld(verdict)).toBe(given.expect === 'pass')
  })

  it.each(ofKind('oms-verify'))(
    '$id: $expect with the files themselves, and not with a changed file',
    async (given) => {
      const signing = readModelSigning(read(given.bundle ?? ''))
      if (signing.state !== 'read') throw new Error(signing.detail)
      const { resources, ignore_paths } = signing.model
      expect(resources.map(({ name }) => name)).toEqual(given.expected_signed_files)
      const { files } = await hashModel(join(folder, given.model ?? ''), {
        ignorePaths: [...ignore_paths, ...given.ignore_paths],
      })
      // The root digest covers the files in signed order.
      const inOrder = resources.map(({ name }) => files.find((file) => file.name === name)?.digest ?? '')
      expect(files).toHaveLength(resources.length)
      expect(judge(given, rootDigest(inOrder.map((digest) => ({ digest })))).status === 'verified').toBe(
        given.expect === 'pass',
      )
      const changed = inOrder.with(0, sha256(Buffer.from('another file')))
      expect(judge(given, rootDigest(changed.map((digest) => ({ digest }))))).toMatchObject({
        status: 'invalid',
        reason: 'digest_mismatch',
      })
    },
  )

  it.each(ofKind('oms-digest'))(
    '$id: has the reference’s root digest and list',
    async ({ model = '', model_digest, golden = '', shard_size }) => {
      const { predicate } = Golden.parse(JSON.parse(read(golden).toString()))
      const { files } = await hashModel(join(folder, model))
      const found =
        shard_size === undefined
          ? [...files].sort(byPathParts)
          : [...files].sort(byPathParts).flatMap(({ name }) => shardsOf(model, name, shard_size))
      expect(found.map(({ name, digest }) => ({ name, digest: digest.replace('sha256:', '') }))).toEqual(
        predicate.resources,
      )
      expect(rootDigest(found)).toBe(model_digest)
    },
  )

  it.each(ofKind('oms-schema'))('$id: $expect', ({ bundle = '', expect: expected }) => {
    expect(readModelSigning(read(bundle)).state).toBe(expected === 'pass' ? 'read' : 'invalid')
  })
})
