import type { Database } from '../db/engine.ts'
import { dayOf, type LinksPerDay, limitOf, quotaRefusal, quotaWarning } from './rules.ts'
import { addLinks, findLinks } from './store.ts'

interface Deps {
  database: Database
  linksPerDay: LinksPerDay
  /** Off for load tests: links are counted, and never rejected. */
  isEnforced: boolean
  now: () => number
  onFailure: (error: unknown) => void
}

interface Count {
  /** The total of all replicas when this process last saved, plus what it is saving. */
  saved: number
  unsaved: number
}

const saveEveryMs = 2_000
const saveEveryLinks = 1_000
const savedTogether = 500
const mostIdle = 50_000

/**
 * Counts links by provider and UTC day. Each process counts in memory, so that minting costs no further write, and saves every two
 * seconds; the answer is the total of all replicas. Until then, a provider may exceed its quota by what the others mint.
 */
export const createUsageService = ({ database, linksPerDay, isEnforced, now, onFailure }: Deps) => {
  const days = new Map<number, Map<string, Count>>()
  let sinceSave = 0
  let timer: NodeJS.Timeout | undefined
  let saving: Promise<void> = Promise.resolve()

  const countsOf = (day: number) => {
    const counts = days.get(day) ?? new Map<string, Count>()
    days.set(day, counts)
    return counts
  }

  const countOf = async (provider_id: string, day: number): Promise<Count> => {
    const known = days.get(day)?.get(provider_id)
    if (known) return known
    const saved = await findLinks(database.read, provider_id, day)
    const counts = countsOf(day)
    // Another request may have read it in the meantime.
    const count = counts.get(provider_id) ?? { saved, unsaved: 0 }
    counts.set(provider_id, count)
    return count
  }

  /** Counts that need no saving are read again when they are needed. */
  const forget = () => {
    const today = dayOf(now())
    for (const [day, counts] of days) {
      if (day >= today && counts.size <= mostIdle) continue
      for (const [provider_id, { unsaved }] of counts) if (unsaved === 0) counts.delete(provider_id)
      if (day < today && counts.size === 0) days.delete(day)
    }
  }

  const saveSome = async (some: { provider_id: string; day: number; count: Count }[]) => {
    const rows = some.map(({ provider_id, day, count }) => ({ provider_id, day, links: count.unsaved }))
    for (const { count } of some) {
      count.saved += count.unsaved
      count.unsaved = 0
    }
    try {
      for (const { provider_id, day, links } of await database.transaction((tx) => addLinks(tx, rows))) {
        const count = days.get(day)?.get(provider_id)
        if (count) count.saved = Number(links)
      }
    } catch (error) {
      for (const [index, { count }] of some.entries()) {
        count.saved -= rows[index]?.links ?? 0
        count.unsaved += rows[index]?.links ?? 0
      }
      throw error
    }
  }

  const saveAll = async () => {
    sinceSave = 0
    const changed = [...days].flatMap(([day, counts]) =>
      [...counts]
        .filter(([, { unsaved }]) => unsaved !== 0)
        .map(([provider_id, count]) => ({ provider_id, day, count })),
    )
    // In one order, so that replicas don't wait for each other in a circle.
    changed.sort((a, b) => (a.provider_id < b.provider_id ? -1 : 1))
    for (let from = 0; from < changed.length; from += savedTogether)
      await saveSome(changed.slice(from, from + savedTogether))
    forget()
  }

  const save = () => {
    clearTimeout(timer)
    timer = undefined
    saving = saving.then(saveAll).catch((error: unknown) => {
      onFailure(error)
      plan()
    })
    return saving
  }

  const plan = () => {
    timer ??= setTimeout(save, saveEveryMs).unref()
  }

  const add = (count: Count, links: 1 | -1) => {
    count.unsaved += links
    sinceSave += 1
    if (sinceSave >= saveEveryLinks) save()
    else plan()
  }

  const check = async (provider_id: string, isDomainHeld: boolean) => {
    const count = await countOf(provider_id, dayOf(now()))
    const refusal = quotaRefusal(count.saved + count.unsaved, linksPerDay, isDomainHeld, now())
    if (refusal && isEnforced) throw refusal
    return count
  }

  return {
    /** Throws if no link is left for today. */
    checkLink: async (provider_id: string, isDomainHeld: boolean): Promise<void> => {
      await check(provider_id, isDomainHeld)
    },

    /** Counts a link; throws if none is left for today. */
    takeLink: async (provider_id: string, isDomainHeld: boolean) => {
      const count = await check(provider_id, isDomainHeld)
      add(count, 1)
      return {
        warning: quotaWarning({ used: count.saved + count.unsaved, limit: limitOf(linksPerDay, isDomainHeld) }),
        /** For a link that was not minted. */
        giveBack: () => add(count, -1),
      }
    },

    /** Also done every two seconds, every thousand links and at the end. */
    save,
  }
}

export type UsageService = ReturnType<typeof createUsageService>
