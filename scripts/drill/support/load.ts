import { setTimeout as wait } from 'node:timers/promises'
import { must } from './fault.ts'
import type { Registry, Timed } from './registry.ts'

export interface LoadResult {
  answered: number
  links: string[]
  refused: Timed[]
  slowestMs: number
}

/** Mints and checks links with several workers until it is stopped, and keeps every answer that was not a success. */
export const startLoad = ({ mint, check }: Registry, workers = 16) => {
  const links: string[] = []
  const refused: Timed[] = []
  const broken: string[] = []
  let answered = 0
  let isOver = false

  const worker = async (index: number) => {
    while (!isOver) {
      const last = links.at(-1)
      try {
        const reply = await (index % 4 === 0 && last ? check(last) : mint(index % 2 === 0 ? {} : { response: 'Oslo' }))
        answered++
        if (reply.status === 201) links.push(String(reply.body.verification_url))
        else if (reply.status !== 200) refused.push(reply)
        if (reply.status >= 300) await wait(50)
      } catch (error) {
        broken.push(String(error))
        await wait(50)
      }
    }
  }
  const all = Promise.all(Array.from({ length: workers }, (_, index) => worker(index)))

  return {
    links,
    /** Waits until this many more links were minted. */
    more: async (count: number) => {
      const enough = links.length + count
      const deadline = performance.now() + 60_000
      while (links.length < enough) {
        must(performance.now() < deadline, `fewer than ${count} links in a minute; ${refused.at(-1)?.text ?? ''}`)
        await wait(10)
      }
    },
    stop: async (): Promise<LoadResult> => {
      isOver = true
      await all
      must(broken.length === 0, `${broken.length} connections failed: ${broken[0]}`)
      return { answered, links, refused, slowestMs: Math.max(0, ...refused.map(({ ms }) => ms)) }
    },
  }
}

/** Every rejected request got an honest 503 (or 507, where a disk is full), in time. */
export const mustBeHonest = (
  { refused }: Pick<LoadResult, 'refused'>,
  withinMs: number,
  statuses: readonly number[] = [503],
) => {
  for (const { status, headers, text, ms } of refused) {
    must(statuses.includes(status), `a request got ${status} instead of 503: ${text.slice(0, 300)}`)
    const type = headers['content-type']
    must(type === 'application/problem+json', `${status} is not a problem document: ${text.slice(0, 300)}`)
    must(headers['retry-after'] !== undefined, `${status} has no Retry-After`)
    must(ms <= withinMs, `${status} came after ${Math.round(ms)} ms: ${text.slice(0, 300)}`)
  }
}

/** How long until links can be minted again. */
export const recoveryMs = async ({ mint }: Registry, withinMs = 1_500) => {
  const started = performance.now()
  while ((await mint()).status !== 201) {
    must(performance.now() - started < 30_000, 'the registry did not recover within 30 s')
    await wait(10)
  }
  const spent = performance.now() - started
  must(spent <= withinMs, `the registry recovered only after ${ms(spent)}`)
  return spent
}

export const mustKeep = async ({ check }: Registry, links: readonly string[]) => {
  let lost = 0
  const left = [...links]
  const worker = async () => {
    for (let link = left.pop(); link !== undefined; link = left.pop()) if ((await check(link)).status !== 200) lost++
  }
  await Promise.all(Array.from({ length: 16 }, worker))
  must(lost === 0, `${lost} of ${links.length} acknowledged links are lost`)
}

export const mustLive = ({ exits }: Registry) => must(exits.length === 0, `the process ended: ${exits[0]}`)

export const ms = (value: number) => `${Math.round(value)} ms`
