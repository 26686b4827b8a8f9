import { describe, expect, it } from 'vitest'
import type { LogEntry, OpenEntry } from '../entries/entries.ts'
import { createReplay, type ReplayedFacts } from './replay.ts'

const minute = (count: number) => new Date(Date.UTC(2026, 0, 14, 10, count)).toISOString()
const digest = `sha256:${'a'.repeat(64)}`
const [provider, model, deployment, domain, kid] = ['prv_1', 'mdl_1', 'dep_1', 'acme.example', 'k1']
const workload = 'wkl_1'
const facts = { provider, model, deployment, workload, domain, digest, kid }
const hash = 'h'.repeat(43)

type Draft = OpenEntry extends infer E ? (E extends OpenEntry ? Omit<E, 'v' | 'at'> : never) : never
const at = (minutes: number, draft: Draft) => ({ v: 1, at: minute(minutes), ...draft }) as OpenEntry

const version = { provider, model, digest, identifier: hash, version: hash, display_name: hash }
const begun: OpenEntry[] = [
  at(0, { type: 'registry_key.added', kid, x: 'public key' }),
  at(1, { type: 'domain.proven', provider, domain, method: 'dns', company_name: hash }),
  at(2, { type: 'version.registered', ...version }),
  at(3, { type: 'deployment.authorized', provider, deployment, model, spki: 'ff' }),
  at(4, { type: 'platform.trusted', provider, deployment, workload, issuer: 'i', subject: hash, claims: hash }),
]

const replay = (entries: readonly LogEntry[], minutes = 30, given: Partial<ReplayedFacts> = {}) => {
  const log = createReplay({ ...facts, ...given }, Date.parse(minute(minutes)))
  for (const [index, entry] of entries.entries()) log.read(entry, index)
  return log.conclude()
}

describe('a replay', () => {
  it('finds that facts held if they began before the moment', () => {
    expect(replay(begun)).toEqual({
      unmet: [],
      held: { key: 0, domain: 1, version: 2, authorization: 3, platform: 4 },
      key: 'public key',
    })
  })

  it.each([
    { fact: 'domain', end: at(20, { type: 'domain.lost', provider, domain }) },
    { fact: 'domain', end: at(20, { type: 'domain.stale', provider, domain }) },
    { fact: 'provider', end: at(20, { type: 'provider.deactivated', provider }) },
    { fact: 'provider', end: at(20, { type: 'provider.deleted', provider }) },
    { fact: 'version', end: at(20, { type: 'version.deleted', provider, model }) },
    { fact: 'version', end: at(20, { type: 'version.edited', ...version, digest: `sha256:${'b'.repeat(64)}` }) },
    { fact: 'archived', end: at(20, { type: 'version.archived', provider, model }) },
    { fact: 'bundle', end: at(20, { type: 'bundle.invalid', provider, model, digest }) },
    { fact: 'authorization', end: at(20, { type: 'deployment.revoked', provider, deployment, model }) },
    { fact: 'deployment', end: at(20, { type: 'deployment.disabled', provider, deployment }) },
    { fact: 'platform', end: at(20, { type: 'platform.ended', provider, deployment, workload }) },
    { fact: 'key', end: at(20, { type: 'registry_key.compromised', kid }) },
  ])('rejects a fact that had ended: $end.type', ({ fact, end }) => {
    const ended_by = { index: begun.length, type: end.type, at: end.at }
    expect(replay([...begun, end]).unmet).toEqual([{ fact, ended_by }])
    // Facts that ended later, or for others, change nothing.
    expect(replay([...begun, end], 19).unmet).toEqual([])
    const other = {
      provider: 'prv_2',
      domain: 'northwind.example',
      model: 'mdl_2',
      deployment: 'dep_2',
      workload: 'wkl_2',
      kid: 'k2',
    }
    const own = Object.entries(other).filter(([name]) => name in end)
    expect(replay([...begun, { ...end, ...Object.fromEntries(own) } as OpenEntry]).unmet).toEqual([])
  })

  it('accepts a fact that began again, and a key that was retired', () => {
    const again = [
      at(20, { type: 'domain.lost', provider, domain }),
      at(21, { type: 'domain.proven', provider, domain, method: 'dns', company_name: hash }),
      at(22, { type: 'deployment.disabled', provider, deployment }),
      at(23, { type: 'deployment.enabled', provider, deployment }),
      at(24, { type: 'registry_key.retired', kid }),
    ]
    expect(replay([...begun, ...again]).unmet).toEqual([])
    expect(replay([...begun, ...again], 20).unmet).toMatchObject([{ fact: 'domain' }])
  })

  it('rejects a fact that was logged for a later time, or never', () => {
    expect(replay(begun, 3).unmet).toEqual([{ fact: 'platform', ended_by: null }])
    expect(replay(begun, 30, { digest: 'sha256:other' }).unmet).toEqual([{ fact: 'version', ended_by: null }])
    expect(replay(begun, 30, { domain: 'northwind.example' }).unmet).toEqual([{ fact: 'domain', ended_by: null }])
    expect(replay([]).unmet.map(({ fact }) => fact)).toEqual(['domain', 'version', 'key', 'authorization', 'platform'])
  })

  it('requires the entry of the signature that the verdict shows, of its signer and not ended', () => {
    const { bundle, ...signature } = {
      bundle: 'bundle.verified',
      provider,
      model,
      digest,
      spki: 'ff',
      identity: hash,
    } as const
    const own = at(10, { type: bundle, ...signature })
    const other = at(20, { type: 'bundle.third_party', ...signature })
    const ended = at(20, { type: 'bundle.ended', provider, model })
    const unmet = (entries: OpenEntry[], minutes = 30, type: ReplayedFacts['bundle'] = bundle) =>
      replay([...begun, ...entries], minutes, { bundle: type }).unmet
    expect(unmet([own])).toEqual([])
    expect(unmet([])).toEqual([{ fact: 'bundle', ended_by: null }])
    for (const end of [other, ended]) {
      expect(unmet([own, end])).toEqual([{ fact: 'bundle', ended_by: { index: 6, type: end.type, at: end.at } }])
      expect(unmet([own, end], 19)).toEqual([])
      expect(replay([...begun, own, end]).unmet).toEqual([])
    }
    expect(unmet([own, other], 30, 'bundle.third_party')).toEqual([])
    expect(unmet([own], 30, 'bundle.third_party')).toMatchObject([{ fact: 'bundle' }])
  })

  it('counts no private entry', () => {
    const hidden: LogEntry = { v: 1, type: 'version.registered', at: minute(2), private: hash }
    expect(replay(begun.map((entry, index) => (index === 2 ? hidden : entry))).unmet).toEqual([
      { fact: 'version', ended_by: null },
    ])
  })
})
