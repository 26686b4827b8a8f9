import { describe, expect, it } from 'vitest'
import { type Change, type Check, type CheckName, changes, type VerificationResult } from '../contract/verifications.ts'
import type { Step } from '../verify/verdict.ts'
import {
  checkRowsOf,
  countChecks,
  failureHeading,
  failureSentences,
  headingOf,
  isShown,
  type LinkState,
  limitsOf,
  linkTones,
  notesOf,
  requesterOf,
  sealOf,
  shapeOf,
  stepText,
} from './link-screen.ts'
import { linkWords } from './link-words.ts'

const states = Object.keys(linkTones) as LinkState[]

const record = {
  model: { name: 'Atlas Chat', version: '2.1' },
  provider: { name: 'Northwind AI', domain: 'northwind.example' },
  challenge: null,
  origin: null,
  checked_at: '2026-11-20T10:01:00.000Z',
} as unknown as VerificationResult

describe('the outcome of a link', () => {
  it.each(states.map((state) => ({ state })))(
    '$state is green only if verified, and blue only if the company alone is proven',
    ({ state }) => {
      expect(linkTones[state] === 'ok').toBe(state === 'verified')
      expect(linkTones[state] === 'info').toBe(state === 'provider_only')
      expect(shapeOf(state) === 'proven').toBe(state === 'verified')
    },
  )

  it.each(states.map((state) => ({ state })))('$state says “verified” only if it is', ({ state }) => {
    const said = [
      linkWords.bands[state],
      sealOf(state),
      isShown(state) ? headingOf(state, record) : failureHeading(state),
    ]
      .flat()
      .join(' ')
    expect(/Verified AI Model|Cryptographically Verified/.test(said)).toBe(state === 'verified')
  })

  it('has a band of its own for forged, mistyped and expired links', () => {
    const bands = (['forged', 'mistyped', 'expired', 'revoked', 'not_found'] as const).map(
      (state) => linkWords.bands[state],
    )
    expect(new Set(bands).size).toBe(bands.length)
  })

  it('says who requested it only for a domain that is or was proven', () => {
    expect(requesterOf('provider_only', 'northwind.example', record)).toBe('northwind.example')
    expect(requesterOf('check_failed', 'northwind.example', record)).toBe('northwind.example')
    expect(requesterOf('domain_stale', null, record)).toBe('northwind.example')
    expect(requesterOf('check_failed', null, record)).toBeNull()
    expect(requesterOf('provider_unverified', null, record)).toBeNull()
  })

  it('quotes everything but a domain', () => {
    expect(headingOf('verified', record)).toEqual(['northwind.example', '“Atlas Chat 2.1”'])
    expect(headingOf('provider_unverified', record)).toEqual(['Someone calling themselves “Northwind AI”', null])
  })

  it.each(changes.filter((change) => change !== 'expired').map((change) => ({ change })))(
    'explains $change',
    ({ change }) => {
      expect(failureSentences('revoked', { change })).toHaveLength(2)
    },
  )

  it('leaves out an unknown change', () => {
    for (const change of ['of_the_future', 'constructor'])
      expect(failureSentences('revoked', { change: change as Change })).toEqual(['This link is no longer valid.'])
  })
})

describe('a link of a company with a look-alike name', () => {
  it('names the domain of the other provider with a similar name', () => {
    const provider = { ...record.provider, similar_name_domain: 'acme.example' } as VerificationResult['provider']
    expect(notesOf({ ...record, provider })).toEqual([
      'Another provider has had a similar name and a proven domain for longer: acme.example',
    ])
  })
})

describe('a link for a chat at a website that the company has lost', () => {
  it('says so', () => {
    expect(notesOf({ ...record, is_origin_lost: true })).toEqual(['The chat’s website is no longer proven.'])
  })
})

describe('a link to a model that was changed later', () => {
  it('shows the old and the new value', () => {
    const later_changes: VerificationResult['later_changes'] = [
      { field: 'model.name', minted: 'Atlas Chat', now: 'GPT-5 “Pro”' },
      { field: 'provider.domain', minted: 'northwind.example', now: 'acme.example' },
      { field: 'model.model_digest', minted: `sha256:${'a1'.repeat(32)}`, now: `sha256:${'b2'.repeat(32)}` },
      { field: 'provider.website', minted: null, now: 'https://acme.example/globex.example/verified' },
    ]
    expect(notesOf({ ...record, later_changes })).toEqual([
      'The name of the model was “Atlas Chat” when this link was made, and is “GPT-5 Pro” now.',
      'The domain of the company was northwind.example when this link was made, and is acme.example now.',
      'The digest of the model file was sha256:a1a1a1a1… when this link was made, and is sha256:b2b2b2b2… now.',
      'The website of the company was not stated when this link was made, and is “https://acme.example/…” now.',
    ])
  })
})

describe('a step', () => {
  const step = (words: Step['words'], at: string | null = null): Step => ({ state: 'proven', words, at })

  it.each([
    { at: '2026-11-20T00:01:00.000Z', when: 'checked today' },
    { at: '2026-11-19T23:59:00.000Z', when: 'checked yesterday' },
    { at: '2026-11-12T10:00:00.000Z', when: 'checked on 12 Nov 2026' },
    { at: null, when: 'checked before' },
  ])('says that a domain was $when', ({ at, when }) => {
    expect(stepText(step('domain_dns', at), record, true)).toBe(`Controls northwind.example (DNS, ${when})`)
  })

  it('says what a platform said of the server, and no more', () => {
    const workload = { issuer: 'https://accounts.google.com', platform: 'Google Cloud', subject: 'chat@acme.example' }
    const deployment_info = { workload } as VerificationResult['deployment_info']
    expect(stepText(step('server_workload'), { ...record, deployment_info }, true)).toBe(
      'Google Cloud says: this is “chat@acme.example”, which northwind.example trusts',
    )
    const withheld = { workload: { ...workload, subject: null } } as VerificationResult['deployment_info']
    expect(stepText(step('server_workload'), { ...record, deployment_info: withheld }, true)).toBe(
      'Google Cloud confirmed a workload that northwind.example trusts',
    )
  })

  it('says who could have made a link if the server proved nothing', () => {
    for (const words of ['server_none', 'server_named'] as const)
      expect(stepText(step(words), record, true)).toContain(
        'Anyone with the company’s access key could have made this link',
      )
  })

  it('does not call an unconfirmed provider a company', () => {
    for (const words of ['server_none', 'file_digest'] as const)
      expect(stepText(step(words), record, false)).not.toContain('company')
  })
})

describe('what a link does not prove', () => {
  it.each([
    { name: 'neither phrase nor address', carries: {}, domain: 'northwind.example', phrase: false, address: false },
    {
      name: 'a phrase',
      carries: { challenge: 'blue otter 42' },
      domain: 'northwind.example',
      phrase: true,
      address: false,
    },
    {
      name: 'an address',
      carries: { origin: 'https://chat.northwind.example' },
      domain: 'northwind.example',
      phrase: false,
      address: true,
    },
    {
      name: 'an address named by an unknown provider',
      carries: { origin: 'https://chat.northwind.example' },
      domain: null,
      phrase: false,
      address: false,
    },
  ])('depends on its content: $name', ({ carries, domain, phrase, address }) => {
    const [first = ''] = limitsOf({ ...record, ...carries }, domain)
    expect(first).toContain(linkWords.limits.chat)
    expect(first.includes(linkWords.limits.phrase)).toBe(phrase)
    expect(first.includes('https://chat.northwind.example')).toBe(address)
  })
})

describe('the list of checks', () => {
  const check = (name: CheckName, passed: boolean | null): Check => ({
    check: name,
    passed,
    detail: `${name}.`,
    checked_at: '2026-11-20T10:00:00.000Z',
  })

  it('shows the checks of the link itself as one row with all their details', () => {
    const rows = checkRowsOf([
      check('signature', true),
      check('key', true),
      check('time', true),
      check('domain', true),
      check('chat', null),
    ])
    expect(rows.map(({ about }) => about)).toEqual(['link', 'domain', 'chat'])
    expect(rows[0]).toMatchObject({ passed: true, detail: 'signature. key. time.' })
  })

  it('keeps a failed check above that row', () => {
    const rows = checkRowsOf([check('bundle', false), check('signature', true), check('time', true)])
    expect(rows.map(({ about }) => about)).toEqual(['bundle', 'link'])
  })

  it.each([{ passed: false }, { passed: null }])('lists the checks one by one if any is $passed', ({ passed }) => {
    const rows = checkRowsOf([check('time', passed), check('signature', true), check('key', true)])
    expect(rows.map(({ about }) => about).toSorted()).toEqual(['key', 'signature', 'time'])
  })

  it('sums up in one line, with counts that match the list', () => {
    const rows = checkRowsOf([
      check('signature', true),
      check('key', true),
      check('provider', true),
      check('domain', false),
      check('digest', null),
      check('chat', null),
    ])
    expect(linkWords.checks.summary(countChecks(rows))).toBe('1 check not proven, 2 not checked')
    expect(linkWords.checks.summary(countChecks(checkRowsOf([check('bundle', false), check('time', true)])))).toBe(
      '1 check failed',
    )
    expect(linkWords.checks.summary(countChecks(checkRowsOf([check('signature', true), check('chat', null)])))).toBe(
      '1 check passed, 1 not checked',
    )
  })
})
