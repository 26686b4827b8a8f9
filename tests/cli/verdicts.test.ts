import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { errors } from '@countersign/sdk/contract'
import { vectors } from '@countersign/sdk/testing'
import { linkWords } from '@countersign/sdk/words'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isFull } from '../support/full.ts'
import { createQuickCommandLine } from './in-process.ts'
import { createCommandLine } from './process.ts'

const { issuer, link, cases } = vectors.verdicts

type Vector = (typeof cases)[number]

/** No test waits for minutes; `cli/src/commands/verify/verdict.test.ts` runs every vector in-process. */
const quick = cases.filter(({ elapsed_ms }) => elapsed_ms === 0)

const kindOf = ({ expect: { result, outcome, reason, change, doubt } }: Vector) =>
  [result, outcome, reason, change, doubt].join(' ')

const ofEachKind = quick.filter((vector, index) => quick.findIndex((each) => kindOf(each) === kindOf(vector)) === index)

/** The first of each result as processes, the others in this one. */
const isProcess = (vector: Vector) =>
  isFull || ofEachKind.find(({ expect: { result } }) => result === vector.expect.result) === vector

const exits = { verified: 0, not_verified: 3, unknown: 9 }

const headlines: Partial<Record<Vector['expect']['outcome'], string>> = {
  verified: 'Verified\n',
  provider_only: `${linkWords.bands.provider_only}\n`,
}
const headlineOf = ({ result, outcome }: Vector['expect']) =>
  headlines[outcome] ?? (result === 'unknown' ? 'Could not check: ' : 'Not verified: ')

/** Dates the answer as checked just now, because the command line compares it with this machine's clock. */
const asOfNow = (answer: unknown) => {
  const { checked_at } = Object(answer) as { checked_at?: unknown }
  const shiftMs = Date.now() - Date.parse(String(checked_at))
  const text = JSON.stringify(answer)
  if (Number.isNaN(shiftMs)) return text
  return text.replace(/"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/g, (time) =>
    JSON.stringify(new Date(Date.parse(JSON.parse(time)) + shiftMs)),
  )
}

const statusOf = (answer: unknown) => {
  const { code } = Object(answer) as { code?: keyof typeof errors }
  return code === undefined ? 200 : (errors[code]?.status ?? 400)
}

/** A registry that knows one link, and returns this answer for it. */
const startRegistry = async (answer: unknown) => {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(String(request.url))
    response.writeHead(statusOf(answer), { 'Content-Type': 'application/json' }).end(asOfNow(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

describe('`countersign verify`', () => {
  it('is run for every possible outcome and reason', () => {
    expect(new Set(ofEachKind.map(kindOf))).toEqual(new Set(cases.map(kindOf)))
  })

  it.each(ofEachKind)('exits, says and prints what the vector expects: $name', async (vector) => {
    const { answer, expect: expected } = vector
    const { url, requests } = await startRegistry(answer)
    const cli = await (isProcess(vector) ? createCommandLine(url) : createQuickCommandLine(url))
    const [json, text] = await Promise.all([
      cli.call(['verify', link, '--issuer', issuer, '--json']),
      cli.call(['verify', link, '--issuer', issuer]),
    ])
    expect(requests).toEqual([`/api/v1/verify/${link}`, `/api/v1/verify/${link}`])
    expect([json.exit, text.exit]).toEqual([exits[expected.result], exits[expected.result]])

    const { steps, ...verdict } = JSON.parse(json.stdout)
    const { result, reason, outcome, strength, change } = expected
    expect(verdict).toMatchObject({ result, reason, outcome, strength, change, offline: false })
    expect(verdict.live_state).toBe(result === 'unknown' ? 'not_checked' : 'checked')
    const isShown = result === 'verified' || outcome === 'provider_unverified'
    const states =
      steps && Object.fromEntries(Object.entries<{ state: string }>(steps).map(([name, { state }]) => [name, state]))
    expect(states).toEqual(isShown ? expected.steps : null)

    expect(text.stdout.startsWith(headlineOf(expected)), text.stdout).toBe(true)
    for (const [name, state] of Object.entries(expected.steps) as [
      keyof typeof expected.steps,
      'proven' | 'stated' | 'missing',
    ][])
      expect(text.stdout.includes(`${linkWords.steps.names[name]} · ${linkWords.steps.states[state]}: `)).toBe(isShown)
    expect(text.stdout.includes('does not prove that the chat you see')).toBe(result === 'verified')
    expect(text.stderr.startsWith('hint: ')).toBe(result === 'unknown')
  })
})
