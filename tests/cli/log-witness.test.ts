import { createHash } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { formatNote, formatVkey, parseNote, parsePolicy, parseVkey, verifyCheckpoint } from '@countersign/sdk/log'
import { describe, expect, it } from 'vitest'
import { shapes } from '../../cli/src/shapes/index.ts'
import { createNoteSigner, createTestLog, type TestLog } from '../support/transparency-log.ts'
import { createQuickCommandLine } from './in-process.ts'
import { createThirdParty } from './third-party.ts'

const entry = (index: number) => Buffer.from(`fact ${index}`)
const entries = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => entry(from + index))

const startWitness = async (log: TestLog) => {
  const cli = await createQuickCommandLine('http://127.0.0.1:9')
  await cli.write('logs.policy', `log ${formatVkey(log.signer.key)}\nquorum none\n`)
  const options = ['--policy', 'logs.policy', '--state', 'state', '--listen', '127.0.0.1:0', '--json']
  const start = async (...more: string[]) => {
    const { outcome, ended, stop } = await cli.start(['log', 'witness', ...options, ...more])
    if (outcome.stdout === '') return { outcome: await ended, stop, url: '', vkey: '', add: unreachable }
    const started = JSON.parse(outcome.stdout) as { url: string; vkey: string }
    expect(shapes['log witness']?.answer?.safeParse(started).error).toBeUndefined()
    const add = async (body: string) => {
      const response = await fetch(`${started.url}/add-checkpoint`, { method: 'POST', body })
      return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
    }
    return { ...started, outcome, add, stop }
  }
  return { cli, start, state: join(cli.folder, 'state') }
}

const unreachable = async (_body: string): Promise<{ status: number; type: string | null; text: string }> => {
  throw new Error('the witness did not start')
}

const monitoringPath = (origin: string) => `/${createHash('sha256').update(origin).digest('hex')}/checkpoint`

describe('countersign log witness', () => {
  it('cosigns each checkpoint that continues the last one, even after a restart, and serves the latest', async () => {
    const log = createTestLog('acme.example/log')
    const { start } = await startWitness(log)
    const witness = await start('--name', 'witness.example')
    expect(await fetch(witness.url + monitoringPath(log.origin)).then(({ status }) => status)).toBe(404)
    const policy = parsePolicy(`log ${formatVkey(log.signer.key)}\nwitness w ${witness.vkey}\nquorum w\n`)

    log.append(...entries(0, 300))
    const first = await witness.add(await log.submission(0))
    expect(first).toMatchObject({ status: 200, text: expect.stringMatching(/^— witness\.example \S+\n$/) })
    expect(await verifyCheckpoint((await log.checkpoint()) + first.text, policy)).toMatchObject({ isWitnessed: true })
    expect(await witness.add(await log.submission(300))).toMatchObject({ status: 200 })

    expect(await witness.stop()).toMatchObject({ exit: 130 })
    const restarted = await start()
    expect(restarted.vkey).toBe(witness.vkey)
    log.append(...entries(300, 301))
    expect(await restarted.add(await log.submission(0))).toEqual({
      status: 409,
      type: 'text/x.tlog.size',
      text: '300\n',
    })
    expect(await restarted.add(await log.submission(300))).toMatchObject({ status: 200 })
    const served = await fetch(restarted.url + monitoringPath(log.origin)).then((response) => response.text())
    expect(await verifyCheckpoint(served, policy)).toMatchObject({ size: 301, isWitnessed: true })
  })

  it('answers every other checkpoint with the status of the specification', async () => {
    const log = createTestLog('acme.example/log')
    const { start } = await startWitness(log)
    const { add, url } = await start('--name', 'witness.example')
    log.append(...entries(0, 5))
    const five = await log.submission(0)
    expect(await add(five)).toMatchObject({ status: 200 })
    log.append(...entries(5, 9))
    const nine = await log.submission(5)
    const stranger = createTestLog('northwind.example/log')
    const unsigned = createTestLog(log.origin)
    const wrong = (body: string) => {
      const { text, signatures } = parseNote(body.slice(body.indexOf('\n\n') + 2))
      const changed = signatures.map((each) => ({ ...each, signature: each.signature.with(0, 1) }))
      return `${body.slice(0, body.indexOf('\n\n') + 2)}${formatNote({ text, signatures: changed })}`
    }
    const empty = createTestLog(log.origin, log.signer)
    const proof = nine.split('\n')[1] ?? ''
    const answers = {
      'not a checkpoint': 'old 0\n\nhello',
      'no old size': nine.replace('old 5\n', ''),
      'an old size with a leading zero': nine.replace('old 5', 'old 05'),
      'a proof that is not base64': nine.replace(proof, `${proof.slice(0, -2)}?=`),
      'a proof of 64 lines': nine.replace('old 5\n', `old 5\n${`${proof}\n`.repeat(64)}`),
      'an old size above the size': nine.replace('old 5', 'old 10'),
      'an unknown log': await stranger.submission(0),
      'an unknown key': await unsigned.submission(0),
      'a wrong signature': wrong(nine),
      'another old size': nine.replace('old 5', 'old 4'),
      'the old tree': five.replace('old 0', 'old 5'),
      'an older tree': await empty.submission(0),
      'a wrong proof': nine.replace(proof, Buffer.alloc(32).toString('base64')),
      'no proof': nine.replace(`${proof}\n`, ''),
    }
    const statuses: Record<string, number> = {}
    for (const [name, body] of Object.entries(answers)) statuses[name] = (await add(body)).status
    expect(statuses).toEqual({
      'not a checkpoint': 400,
      'no old size': 400,
      'an old size with a leading zero': 400,
      'a proof that is not base64': 400,
      'a proof of 64 lines': 400,
      'an old size above the size': 400,
      'an unknown log': 404,
      'an unknown key': 403,
      'a wrong signature': 403,
      'another old size': 409,
      'the old tree': 200,
      'an older tree': 409,
      'a wrong proof': 422,
      'no proof': 422,
    })
    expect(await add('x'.repeat(200_000))).toMatchObject({ status: 413 })
    expect(await fetch(`${url}/add-checkpoint`).then(({ status }) => status)).toBe(405)
    expect(await fetch(`${url}/`).then(({ status }) => status)).toBe(404)
    expect(await add(nine)).toMatchObject({ status: 200 })
  })

  it('cosigns only one of many checkpoints that arrive at once from one size', async () => {
    const log = createTestLog('acme.example/log')
    const { start, state } = await startWitness(log)
    const { add } = await start('--name', 'witness.example')
    log.append(entry(0))
    await add(await log.submission(0))
    const bodies: string[] = []
    for (let size = 2; size <= 12; size++) {
      log.append(entry(size))
      bodies.push(await log.submission(1))
    }
    const answers = await Promise.all(bodies.map(add))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(10)
    const [folder = ''] = await readdir(join(state, 'checkpoints'))
    expect(await readdir(join(state, 'checkpoints', folder))).toEqual(['000000000000002'])
  })

  it('never cosigns a fork, and keeps both checkpoints as evidence', async () => {
    const log = createTestLog('acme.example/log')
    const { start, state } = await startWitness(log)
    const { add } = await start('--name', 'witness.example')
    log.append(...entries(0, 4))
    await add(await log.submission(0))
    const fork = createTestLog(log.origin, log.signer)
    fork.append(...entries(0, 3), Buffer.from('another fact'))
    expect(await add(await fork.submission(4))).toMatchObject({ status: 422 })
    fork.append(...entries(4, 6))
    expect(await add(await fork.submission(4))).toMatchObject({ status: 422 })
    const [file = ''] = (await readdir(state)).filter((name) => name.startsWith('evidence-'))
    const verify = await createThirdParty(`log ${formatVkey(log.signer.key)}\nquorum none\n`)
    expect(await verify(file, state)).toMatchObject({ exit: 0, answer: { kind: 'fork', is_proof: true } })
  })

  it('limits the evidence it stores, however many trees a log signs', async () => {
    const log = createTestLog('acme.example/log')
    const { cli, start, state } = await startWitness(log)
    const { add } = await start('--name', 'witness.example')
    log.append(...entries(0, 4))
    await add(await log.submission(0))
    for (let count = 0; count < 99; count++) await cli.write(`state/evidence-${count}.json`, '{}')
    for (const other of [5, 6, 7]) {
      const fork = createTestLog(log.origin, log.signer)
      fork.append(...entries(other, other + 4))
      expect(await add(await fork.submission(4))).toMatchObject({ status: 422 })
    }
    expect((await readdir(state)).filter((name) => name.startsWith('evidence-'))).toHaveLength(100)
  })

  it('reports a damaged state to its operator, and does not blame the log', async () => {
    const log = createTestLog('acme.example/log')
    const { cli, start, state } = await startWitness(log)
    const { add } = await start('--name', 'witness.example')
    log.append(entry(0))
    await add(await log.submission(0))
    const [folder = ''] = await readdir(join(state, 'checkpoints'))
    await cli.write(`state/checkpoints/${folder}/000000000000001`, '')
    expect(await add(await log.submission(1))).toMatchObject({ status: 500 })
    expect(await add(await log.submission(0))).toMatchObject({ status: 500 })
  })

  it('keeps its key private, and its name forever', async () => {
    const log = createTestLog('acme.example/log')
    const { start, state } = await startWitness(log)
    expect((await start()).outcome).toMatchObject({ exit: 2, stderr: expect.stringContaining('--name') })
    const { vkey, stop } = await start('--name', 'witness.example')
    expect(parseVkey(vkey)).toMatchObject({ name: 'witness.example', type: 4 })
    await stop()
    expect((await stat(join(state, 'key.pem'))).mode & 0o077).toBe(0)
    expect((await start('--name', 'other.example')).outcome).toMatchObject({ exit: 2 })
  })

  it.each([
    { name: 'no log', policy: 'quorum none\n', says: 'names no log' },
    { name: 'a malformed line', policy: 'log hello\nquorum none\n', says: 'line 1' },
    {
      name: 'a witness’s key as a log',
      policy: `log ${formatVkey(createNoteSigner('a', 4).key)}\nquorum none\n`,
      says: 'type',
    },
  ])('does not start with a policy with $name', async ({ policy, says }) => {
    const { cli, start } = await startWitness(createTestLog('acme.example/log'))
    await cli.write('logs.policy', policy)
    expect((await start('--name', 'w')).outcome).toMatchObject({ exit: 2, stderr: expect.stringContaining(says) })
  })
})
