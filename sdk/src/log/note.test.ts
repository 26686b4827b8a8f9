import { generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { formatCheckpoint } from './checkpoint.ts'
import {
  formatNote,
  formatVkey,
  type NoteSigner,
  noteKey,
  parseNote,
  parseVkey,
  signatureTypes,
  signNote,
  verifyNote,
} from './note.ts'
import { isQuorum, parsePolicy, verifyCheckpoint } from './policy.ts'
import { formatProof, parseProof, verifyProof } from './proof.ts'
import { leafHash, nodeHash } from './tree.ts'

const createSigner = (name: string, type: number): NoteSigner => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  return {
    key: noteKey(name, type, Buffer.from(x, 'base64url')),
    sign: (message) => sign(null, message, privateKey),
  }
}

const { ed25519, cosignature } = signatureTypes
const log = createSigner('acme.example/log', ed25519)
const [w1, w2, w3] = ['w1', 'w2', 'w3'].map((name) => createSigner(`${name}.example`, cosignature)) as [
  NoteSigner,
  NoteSigner,
  NoteSigner,
]

const [left, right] = [leafHash(Buffer.from('a')), leafHash(Buffer.from('b'))]
const text = formatCheckpoint({ origin: 'acme.example/log', size: 2, root: nodeHash(left, right) })
const time = 1_795_000_000

const signedBy = async (...signers: NoteSigner[]) =>
  formatNote({ text, signatures: await Promise.all(signers.map((signer) => signNote(text, signer, time))) })

describe('a note', () => {
  const vkey = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k'
  const note = `This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
`

  it('of the specification is verified with its key', async () => {
    const key = parseVkey(vkey)
    expect(formatVkey(key)).toBe(vkey)
    expect(await verifyNote(parseNote(note), [key])).toEqual([{ key }])
    expect(formatNote(parseNote(note))).toBe(note)
  })

  it.each([
    { name: 'another text', changed: note.replace('message', 'massage') },
    { name: 'another signature', changed: note.replace('Uw2QOkn8srV1', 'Uw2QOkn8srV2') },
  ])('with $name is rejected', async ({ changed }) => {
    await expect(verifyNote(parseNote(changed), [parseVkey(vkey)])).rejects.toThrow('Invalid signature')
  })

  it.each([
    { name: 'the key of another name', changed: note.replace('— example.com/foo', '— example.com/bar') },
    { name: 'another key ID', changed: note.replace('Uw2QOkn8', 'Vw2QOkn8') },
  ])('has no verified signature by $name', async ({ changed }) => {
    expect(await verifyNote(parseNote(changed), [parseVkey(vkey)])).toEqual([])
  })

  it.each([
    { name: 'without a signature', malformed: 'text\n\n' },
    { name: 'without an empty line', malformed: 'text\n— a AAAAAAA=\n' },
    { name: 'without a final newline', malformed: note.slice(0, -1) },
    { name: 'with a carriage return', malformed: note.replaceAll('\n', '\r\n') },
    { name: 'with a lone surrogate', malformed: `\ud800${note}` },
    { name: 'with another dash', malformed: note.replace('—', '-') },
    { name: 'with a key name with a plus', malformed: note.replace('example.com/foo', 'example.com+foo') },
    { name: 'with a key name with a space', malformed: note.replace('example.com/foo', 'example.com\u00a0foo') },
    { name: 'with a second spelling of base64', malformed: note.replace('aQM=', 'aQN=') },
    { name: 'with a signature of no bytes', malformed: 'text\n\n— a AAAAAA==\n' },
    { name: 'with 101 signatures', malformed: `text\n\n${'— a AAAAAAA=\n'.repeat(101)}` },
  ])('$name is malformed', ({ malformed }) => {
    expect(() => parseNote(malformed)).toThrow('Malformed note')
  })

  it.each([
    { name: 'another ID', wrong: vkey.replace('530d903a', '530d903b') },
    { name: 'an upper-case ID', wrong: vkey.replace('530d903a', '530D903A') },
    { name: 'a short key', wrong: 'a+00000000+AQ==' },
    { name: 'no key', wrong: 'a+00000000+' },
    { name: 'no name', wrong: vkey.replace('example.com/foo', '') },
  ])('key with $name is rejected', ({ wrong }) => {
    expect(() => parseVkey(wrong)).toThrow('Malformed verifier key')
  })

  it('counts a key once, although it signed twice', async () => {
    const signature = await signNote(text, log)
    const verified = await verifyNote({ text, signatures: [signature, signature] }, [log.key])
    expect(verified).toEqual([{ key: log.key }])
  })
})

const policyText = (quorum: string) => `# Who we trust
log ${formatVkey(log.key)} https://acme.example/log/

witness one ${formatVkey(w1.key)}
witness\ttwo  ${formatVkey(w2.key)} https://w2.example/
  witness three ${formatVkey(w3.key)}
group pair all one two
group any-of-all any pair three
quorum ${quorum}
`

describe('a policy', () => {
  it.each([
    { quorum: 'none', cosigners: [], expected: true },
    { quorum: 'one', cosigners: ['two'], expected: false },
    { quorum: 'one', cosigners: ['one'], expected: true },
    { quorum: 'pair', cosigners: ['one'], expected: false },
    { quorum: 'pair', cosigners: ['one', 'two'], expected: true },
    { quorum: 'any-of-all', cosigners: ['one'], expected: false },
    { quorum: 'any-of-all', cosigners: ['three'], expected: true },
    { quorum: 'any-of-all', cosigners: ['pair'], expected: false },
  ])('with quorum $quorum and the witnesses $cosigners: $expected', ({ quorum, cosigners, expected }) => {
    expect(isQuorum(parsePolicy(policyText(quorum)), new Set(cosigners))).toBe(expected)
  })

  const valid = policyText('pair')
  it.each([
    { name: 'without a quorum', text: valid.replace('quorum pair\n', ''), says: 'Policy: there must be exactly one' },
    { name: 'with two quorums', text: `${valid}quorum one\n`, says: 'line 10: there must be exactly one' },
    { name: 'with an unknown quorum', text: policyText('four'), says: 'line 9: four is not defined' },
    { name: 'with a name twice', text: valid.replace('group any-of-all', 'group one'), says: 'one is already taken' },
    {
      name: 'with the name none',
      text: valid.replace('group any-of-all', 'group none'),
      says: 'none is already taken',
    },
    {
      name: 'with a member in two groups',
      text: valid.replace('any pair three', 'any one'),
      says: 'one is already taken',
    },
    {
      name: 'with a member that comes later',
      text: valid.replace('all one two', 'all any-of-all'),
      says: 'not defined',
    },
    { name: 'with the member none', text: valid.replace('all one two', 'all one none'), says: 'none is already' },
    { name: 'with a threshold of 0', text: valid.replace('all one two', '0 one two'), says: 'from 1 to 2' },
    {
      name: 'with a threshold above its members',
      text: valid.replace('all one two', '3 one two'),
      says: 'from 1 to 2',
    },
    { name: 'with a group without members', text: valid.replace('all one two', 'all'), says: 'Not a line' },
    {
      name: 'with a witness of a log’s type',
      text: valid.replace(formatVkey(w3.key), formatVkey(log.key)),
      says: 'type',
    },
    {
      name: 'with a witness twice',
      text: valid.replace(formatVkey(w3.key), formatVkey(noteKey('other.example', cosignature, w1.key.publicKey))),
      says: 'already taken',
    },
    { name: 'with carriage returns', text: valid.replaceAll('\n', '\r\n'), says: 'Invalid characters' },
    { name: 'with an unknown keyword', text: `${valid}trust me\n`, says: 'Not a line' },
  ])('$name is rejected', ({ text, says }) => {
    expect(() => parsePolicy(text)).toThrow(says)
  })
})

describe('a checkpoint', () => {
  it('is witnessed if a quorum cosigned it', async () => {
    const policy = parsePolicy(policyText('pair'))
    expect(await verifyCheckpoint(await signedBy(log, w1), policy)).toMatchObject({ size: 2, isWitnessed: false })
    const { cosigned, isWitnessed } = await verifyCheckpoint(await signedBy(log, w1, w2), policy)
    expect({ cosigned, isWitnessed }).toEqual({
      cosigned: new Map([
        ['one', time],
        ['two', time],
      ]),
      isWitnessed: true,
    })
  })

  it('needs the signature of its log', async () => {
    await expect(verifyCheckpoint(await signedBy(w1, w2), parsePolicy(policyText('pair')))).rejects.toThrow(
      'did not sign',
    )
  })

  it.each([
    { name: 'of another log', of: (note: string) => note.replace('acme.example/log', 'northwind.example/log') },
    { name: 'of another size', of: (note: string) => note.replace('\n2\n', '\n3\n') },
    {
      name: 'with a cosignature from another text',
      of: (note: string) => note.replace(/(w1\.example )(.{8})/, '$1$2A'),
    },
  ])('$name is rejected', async ({ of }) => {
    await expect(verifyCheckpoint(of(await signedBy(log, w1)), parsePolicy(policyText('pair')))).rejects.toThrow(Error)
  })

  it('is rejected if a witness’s cosignature was changed, its time included', async () => {
    const { signatures } = parseNote(await signedBy(log, w1))
    const [own, other] = signatures
    if (!own || !other) throw new Error('two signatures')
    for (const position of [7, 8, 71]) {
      const signature = other.signature.with(position, (other.signature[position] ?? 0) ^ 1)
      const changed = formatNote({ text, signatures: [own, { ...other, signature }] })
      await expect(verifyCheckpoint(changed, parsePolicy(policyText('one')))).rejects.toThrow('Invalid signature')
    }
  })

  it.each([
    { name: 'a size with a leading zero', body: 'a\n01\nAAAA\n' },
    { name: 'a size above 2^53', body: `a\n9007199254740993\n${Buffer.alloc(32).toString('base64')}\n` },
    { name: 'a short root', body: 'a\n1\nAAAA\n' },
    { name: 'no origin', body: `\n1\n${Buffer.alloc(32).toString('base64')}\n` },
  ])('with $name is malformed', async ({ body }) => {
    const signed = formatNote({ text: body, signatures: [await signNote(body, log)] })
    await expect(verifyCheckpoint(signed, parsePolicy(policyText('one')))).rejects.toThrow(
      /[Mm]alformed|Invalid|name the log/,
    )
  })
})

describe('a proof', () => {
  const policy = parsePolicy(policyText('none'))

  it('is read as it was written, and verified', async () => {
    const written = formatProof({ index: 1, hashes: [left], checkpoint: await signedBy(log), extra: Buffer.from('x') })
    const proof = parseProof(written)
    expect(formatProof(proof)).toBe(written)
    expect(await verifyProof(proof, right, policy)).toMatchObject({ size: 2, isWitnessed: true })
  })

  it.each([
    { name: 'another leaf', change: { leaf: left } },
    { name: 'another index', change: { index: 0 } },
    { name: 'an index outside the tree', change: { index: 2 } },
    { name: 'another hash', change: { hashes: [right] } },
    { name: 'a missing hash', change: { hashes: [] } },
  ])('is rejected for $name', async ({ change }) => {
    const { leaf, index, hashes } = { leaf: right, index: 1, hashes: [left], ...change }
    const proof = parseProof(formatProof({ index, hashes, checkpoint: await signedBy(log) }))
    await expect(verifyProof(proof, leaf, policy)).rejects.toThrow('lacks this entry')
  })

  it.each([
    { name: 'with another header', of: (text: string) => text.replace('@v1', '@v2') },
    { name: 'without an index', of: (text: string) => text.replace('index 1\n', '') },
    { name: 'with an index with a leading zero', of: (text: string) => text.replace('index 1', 'index 01') },
    { name: 'with a short hash', of: (text: string) => text.replace(/index 1\n.{4}/, 'index 1\n') },
    { name: 'with extra data that is not base64', of: (text: string) => text.replace('index 1', 'extra ?\nindex 1') },
  ])('$name is malformed', async ({ of }) => {
    const written = formatProof({ index: 1, hashes: [left], checkpoint: await signedBy(log) })
    expect(() => parseProof(of(written))).toThrow(/proof/)
  })
})
