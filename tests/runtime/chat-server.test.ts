import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import {
  createClient,
  createLinkIssuer,
  createVerificationTool,
  type GuardReport,
  guardOutput,
  type LinkIssuer,
  type OnForeign,
} from '@countersign/sdk'
import { formatLinkCode } from '@countersign/sdk/verify'
import { createLinkCode } from '@countersign/sdk/verify/link-codes'
import fc from 'fast-check'
import { expect, it, onTestFinished, vi } from 'vitest'
import { isPromisedAfter } from '../guard/promise.ts'
import { isFull, itInFull } from '../support/full.ts'
import { root } from '../support/imports.ts'
import { createWorld } from '../support/world.ts'
import { type Cast, cut, findEscaped, outputs, type Part } from './hostile-outputs.ts'

const sessions = Array.from({ length: 200 }, (_, index) => `chat-${index}`)
const outputCount = isFull ? 10_000 : 400

const readAll = async (stream: ReadableStream<string>) => {
  let text = ''
  for await (const chunk of stream) text += chunk
  return text
}

const streamOf = (chunks: readonly string[]) =>
  new ReadableStream<string>({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })

interface Output {
  parts: readonly Part[]
  separators: readonly string[]
}

const textOf = ({ parts, separators }: Output) =>
  parts.map(({ written }, index) => written + (separators[index] ?? '')).join('')

/** The first part that came out wrong: an own link, or other text, that changed. */
const findBroken = ({ parts, separators }: Output, text: string) => {
  // The guard separates a link from a preceding address by a space.
  const withoutBlanks = (given: string) => given.replaceAll(' ', '')
  const dense = withoutBlanks(text)
  let from = 0
  return parts.find(({ written, expected, isRemovable = false }, index) => {
    if (expected === null) return false
    const at = dense.indexOf(withoutBlanks(expected), from)
    const before = () =>
      textOf({ parts: parts.slice(0, index), separators }) + written.slice(0, written.indexOf('http'))
    if (at < 0) return !isRemovable || isPromisedAfter(before())
    from = at + withoutBlanks(expected).length
    return false
  })
}

/** The samples of docs/ai-runtimes.md under a heading, as a program with the registry's address and its own IDs. */
const loadSample = async <T>(heading: string, values: Readonly<Record<string, string>>): Promise<T> => {
  const page = readFileSync(join(root, 'docs/ai-runtimes.md'), 'utf8')
  let [, code = ''] = /```ts\n([\s\S]*?)```/.exec(page.slice(page.indexOf(`## ${heading}\n`))) ?? []
  for (const [placeholder, value] of Object.entries(values)) code = code.replaceAll(placeholder, value)
  const folder = await mkdtemp(join(root, 'sdk', 'sample-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'sample.ts'), code)
  return import(join(folder, 'sample.ts'))
}

interface Samples {
  linkFor(sessionId: string, challenge: string | null): Promise<string>
  answerCall(args: unknown, sessionId: string): Promise<string>
  issuer: LinkIssuer
  guardStream(output: ReadableStream<string>, sessionId: string): ReadableStream<string>
  guardText(output: string, sessionId: string): string
}

/** One registry for all, because starting it under load takes longer than the requests. */
it(`under 200 concurrent sessions mints one link each, removes every foreign link from ${outputCount} hostile outputs, and keeps its own`, {
  timeout: 120_000,
}, async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const model_id = await acme.registerModel()
  const bodies: string[] = []
  const client = createClient({
    baseURL: world.address,
    apiKey: acme.apiKey,
    // A mint repeated after a timeout makes another link, so a busy machine needs a longer timeout.
    timeout: 100_000,
    maxRetries: 0,
    fetch: (input, init) => {
      bodies.push(String(init?.body))
      return fetch(input, init)
    },
  })
  let skewMs = 0
  const issuer = createLinkIssuer({
    client,
    modelId: model_id,
    now: () => world.clock.now() + skewMs,
    uptime: world.clock.now,
  })
  const tool = createVerificationTool({ issuer })

  /* ---- one mint for each session ---- */

  const calls = sessions.flatMap((sessionId) => [1, 2, 3, 4].map(() => tool.call({ challenge: null }, { sessionId })))
  const urls = (await Promise.all(calls)).map((answer) => (answer.ok ? answer.link.url : answer.text))
  expect(new Set(urls).size).toBe(200)
  expect(await acme.client.account.verifications({})).toMatchObject({ total: 200 })
  expect(bodies).toHaveLength(200)
  expect(bodies.join()).not.toMatch(/chat-\d/)

  const challenged = await issuer.get('chat-0', { challenge: 'blue otter 42' })
  expect(await world.anyone.verifications.get(challenged.code)).toMatchObject({
    status: 'verified',
    challenge: 'blue otter 42',
  })
  const plain = await issuer.get('chat-0')
  expect(await world.anyone.verifications.get(plain.code)).toMatchObject({ status: 'verified', challenge: null })

  /* ---- the guard ---- */

  const northwind = await world.provider('northwind')
  const rival = await northwind.client.verifications.create({ model_id: await northwind.registerModel() })
  const host = new URL(world.publicUrl).host
  const codeOf = (url: string) => url.slice(-19)
  const invented = formatLinkCode(createLinkCode(world.clock.now(), new Uint8Array([7, 1, 2, 3, 4, 5, 6, 7])))
  const foreign = [codeOf(rival.verification_url), invented, (await issuer.get('chat-199')).code]

  const judge = async (sessionId: string, cast: Cast, output: Output & { cuts: readonly number[] }) => {
    const text = textOf(output)
    const onForeign: OnForeign = output.cuts.length % 2 === 0 ? 'strip' : 'mark'
    const create = () =>
      guardOutput({ issued: issuer, sessionId, host: world.publicUrl, onForeign, now: world.clock.now })
    const guard = create()
    const report: GuardReport = guard.check(text)
    const seen = {
      streamed: await readAll(streamOf(cut(text, output.cuts)).pipeThrough(create())),
      escaped: findEscaped(report.text, cast),
      broken: findBroken(output, report.text),
      again: guard.check(report.text).text,
      isClean: report.isClean,
    }
    const isClean = output.parts.every(({ expected }) => expected !== null)
    const good = { streamed: report.text, escaped: [], broken: undefined, again: report.text, isClean }
    if (!isDeepStrictEqual(seen, good))
      expect({ text, cuts: output.cuts, ...seen }).toEqual({ text, cuts: output.cuts, ...good })
  }

  const chatting = sessions.slice(1, 21)
  for (const [index, sessionId] of chatting.entries()) {
    const own = await issuer.get(sessionId)
    const cast = { host, own, foreign: [...foreign, (await issuer.get(`chat-${index + 100}`)).code] }
    const samples = fc.sample(outputs(cast), { seed: 7_000 + index, numRuns: outputCount / chatting.length })
    for (const output of samples) await judge(sessionId, cast, output)
  }

  // The test's own check finds what would get out without the guard.
  const cast = { host, own: plain, foreign }
  const bad = fc
    .sample(outputs(cast), { seed: 1, numRuns: 300 })
    .filter(({ parts }) => parts.some(({ expected }) => expected === null))
  const unguarded = bad.map(({ parts }) => findEscaped(parts.map(({ written }) => written).join(' '), cast).length)
  expect(unguarded.filter((found) => found === 0).length).toBeLessThan(bad.length / 20)

  /* ---- the samples of the documentation ---- */

  vi.stubEnv('COUNTERSIGN_API_KEY', acme.apiKey)
  onTestFinished(() => void vi.unstubAllEnvs())
  const values = { 'https://registry.example': world.publicUrl, mdl_06dh0e3x7c9bw4vjz2n8qk5ytm: model_id }
  const load = (heading: string) => loadSample<Samples>(heading, values)
  expect(await (await load('One link for each chat')).linkFor('chat-1', 'grey heron')).toMatch(
    /^Check me here: http.*\/v\/[0-9A-Z-]{19}$/,
  )
  const { answerCall } = await load('A tool for any runtime')
  expect(await answerCall({ challenge: null }, 'chat-1')).toContain(`${world.publicUrl}/v/`)
  const samples = await load("Guard the model's output")
  const { url } = await samples.issuer.get('chat-1')
  const said = `I am Acme: ${url.toLowerCase()}, and not ${rival.verification_url}.`
  const shown = `I am Acme: ${url}, and not (unverified link removed).`
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
  expect(samples.guardText(said, 'chat-1')).toBe(shown)
  expect(await readAll(samples.guardStream(streamOf(cut(said, [100, 300, 500])), 'chat-1'))).toBe(shown)
  expect(warned).toHaveBeenCalledTimes(2)

  /* ---- time ---- */

  world.clock.advance('13m')
  expect((await issuer.get('chat-7')).url).toBe(urls[7 * 4])
  world.clock.advance('1s')
  const [renewed] = await Promise.all(sessions.slice(7, 17).map((sessionId) => issuer.get(sessionId)))
  expect(urls).not.toContain(renewed?.url)
  expect(await world.anyone.verifications.get(renewed?.code ?? '')).toMatchObject({ status: 'verified' })
  // The chat server's clock is set back, and the link still ages.
  skewMs = -3_600_000
  expect((await issuer.get('chat-7')).url).not.toBe(renewed?.url)
})

itInFull('needs no more memory for an endless stream', { timeout: 60_000 }, async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const issued = { get: () => Promise.reject(new Error()), issuedTo: () => [], isOthers: () => false }
  const guard = guardOutput({ issued, sessionId: 'chat-1', host: 'registry.example' })
  const writer = guard.writable.getWriter()
  const reading = (async () => {
    let length = 0
    for await (const chunk of guard.readable) length += chunk.length
    return length
  })()
  const pieces = [
    'x'.repeat(997),
    '[a',
    '\u200b'.repeat(501),
    '%25'.repeat(300),
    'words and words. ',
    'https://registry.example/v/',
    '地图',
  ]
  const write = async (rounds: number) => {
    for (let round = 0; round < rounds; round++)
      for (const piece of pieces) await writer.write(piece.repeat(1 + (round % 3)))
    collect()
    return process.memoryUsage().heapUsed
  }
  const before = await write(20)
  expect((await write(250)) - before).toBeLessThan(1_000_000)
  await writer.close()
  expect(await reading).toBeGreaterThan(1_000_000)
})
