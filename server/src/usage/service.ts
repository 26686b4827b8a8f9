import { limits, notFound, type Usage } from '@countersign/sdk/contract'
import type { Database } from '../db/engine.ts'
import { proofAt } from '../db/proofs.ts'
import type { Db, Tx } from '../db/schema.ts'
import { timeOf } from '../db/times.ts'
import type { Caller } from '../http/callers.ts'
import {
  dateOf,
  dayOf,
  limitOf,
  listedDays,
  modelRefusal,
  type Quotas,
  quotaRefusal,
  quotaWarning,
  shareOf,
  startOf,
} from './rules.ts'
import { addLinks, countModels, countStored, findDomainProof, findLinks, listDays } from './store.ts'

interface Deps {
  database: Database
  quotas: Quotas
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

/** A save writes a row for each provider. */
const saveEveryMs = 10_000
const savedTogether = 500
const mostIdle = 50_000

/**
 * Counts links by provider and UTC day. Each process counts in memory, so that minting costs no further write, and saves every ten
 * seconds; the answer is the total of all replicas. Until then, a provider may exceed its quota by what the others mint.
 */
export const createUsageService = ({ database, quotas, isEnforced, now, onFailure }: Deps) => {
  const { linksPerDay } = quotas
  const days = new Map<number, Map<string, Count>>()
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
      for (const { provider_id, day, links } of await database.quickTransaction((tx) => addLinks(tx, rows))) {
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
    plan()
  }

  const check = ({ saved, unsaved }: Count, isDomainKept: boolean) => {
    const refusal = quotaRefusal(saved + unsaved, linksPerDay, isDomainKept, now())
    if (refusal && isEnforced) throw refusal
  }

  const isDomainKeptBy = async (db: Db, provider_id: string) => {
    const proof = await findDomainProof(db, provider_id)
    if (!proof) throw notFound()
    const { verified_at, stale_since } = proofAt(proof, now())
    return verified_at !== null || stale_since !== null
  }

  /** With what this process has not saved yet. */
  const readToday = async (provider_id: string) => {
    const at = now()
    const day = dayOf(at)
    const [isDomainKept, saved] = await Promise.all([
      isDomainKeptBy(database.read, provider_id),
      findLinks(database.read, provider_id, day),
    ])
    const own = days.get(day)?.get(provider_id)
    const today = Math.max(saved, own?.saved ?? 0) + (own?.unsaved ?? 0)
    const limit = limitOf(linksPerDay, isDomainKept)
    return {
      today,
      limit,
      share: shareOf(today, limit),
      resets_at: timeOf(startOf(day + 1)),
      limit_with_domain: isDomainKept ? null : linksPerDay.proven,
    }
  }

  const readModels = async (db: Db, provider_id: string) => {
    const isDomainKept = await isDomainKeptBy(db, provider_id)
    const { today, total } = await countModels(db, { provider_id, since: startOf(dayOf(now())) })
    return {
      isDomainKept,
      today: { count: today, limit: limitOf(quotas.modelsPerDay, isDomainKept) },
      total: { count: total, limit: limitOf(quotas.modelsTotal, isDomainKept) },
    }
  }

  return {
    readToday,
    readModels: (provider_id: string) => readModels(database.read, provider_id),

    /** Throws if the provider may register no further version of a model. It must be locked, or another one could use the last place. */
    async checkModel(tx: Tx, provider_id: string): Promise<void> {
      if (!isEnforced) return
      const { today, total, isDomainKept } = await readModels(tx, provider_id)
      const refusal = modelRefusal({ today: today.count, total: total.count }, quotas, isDomainKept, now())
      if (refusal) throw refusal
    },

    async usage({ provider_id }: Caller): Promise<Usage> {
      const first = dayOf(now()) - listedDays + 1
      const [links, models, saved, stored] = await Promise.all([
        readToday(provider_id),
        readModels(database.read, provider_id),
        listDays(database.read, provider_id, first),
        countStored(database.read, { provider_id, at: now() }),
      ])
      const byDay = new Map(saved.map(({ day, links }) => [day, Number(links)]))
      const listed = Array.from({ length: listedDays }, (_, index) => ({
        day: dateOf(first + index),
        links: index === listedDays - 1 ? links.today : (byDay.get(first + index) ?? 0),
      }))
      return {
        links: { ...links, days: listed },
        stored: {
          api_keys: { count: stored.api_keys, limit: limits.activeApiKeys },
          domains: { count: stored.domains, limit: limits.domains },
          publishers: { count: stored.publishers, limit: limits.publishers },
          models: models.total,
          models_today: models.today,
          deployments: { count: stored.deployments, limit: null },
        },
        active_models: stored.active_models,
      }
    },

    /** Throws if no link is left for today. */
    checkLink: async (provider_id: string, isDomainKept: boolean): Promise<void> => {
      check(await countOf(provider_id, dayOf(now())), isDomainKept)
    },

    /** Counts a link; throws if none is left for today. */
    takeLink: async (provider_id: string, isDomainKept: boolean) => {
      const count = await countOf(provider_id, dayOf(now()))
      // Without a wait between the check and the count, or requests of the same moment could all take the last link.
      check(count, isDomainKept)
      add(count, 1)
      return {
        warning: quotaWarning({ used: count.saved + count.unsaved, limit: limitOf(linksPerDay, isDomainKept) }),
        /** Takes back the count of a link that was not minted. */
        giveBack: () => add(count, -1),
      }
    },

    /** Also done every ten seconds and at the end. */
    save,
  }
}

export type UsageService = ReturnType<typeof createUsageService>
