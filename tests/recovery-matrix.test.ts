import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))

/** What a person may still have. Every account here has had passkeys and recovery codes. */
const holdings = ['password', 'factors', 'codes', 'mailbox', 'session', 'owner', 'domain'] as const
type Initial = (typeof holdings)[number]
/** `unprotected`: the lost factors were removed. `access`: back in the company. */
type Holding = Initial | 'unprotected' | 'access'

type Told = 'you' | 'the old address' | 'all owners' | 'all owners, twice'

/** A step that a person can take, what it needs and gives, how long it takes, who is emailed, and the test that takes it. */
interface Way {
  step: string
  needs: readonly Holding[]
  gives: readonly Holding[]
  days: 0 | 7
  told: readonly Told[]
  /** Default: 1. */
  effort?: number
  test?: readonly [file: string, name: string]
}

const recovery = 'tests/api/recovery.test.ts'
const addresses = 'tests/api/mailboxes.test.ts'
const passkeys = 'tests/api/factors.test.ts'

const ways: readonly Way[] = [
  {
    step: 'sign in with a passkey',
    needs: ['factors', 'mailbox'],
    gives: ['access'],
    days: 0,
    told: [],
    test: [passkeys, 'sign in without a password, with presence'],
  },
  {
    step: 'sign in with the password',
    needs: ['password'],
    gives: ['session'],
    days: 0,
    told: [],
    test: [recovery, 'recovers with the mailbox alone after seven days, and emails all owners twice'],
  },
  {
    step: 'change the address, confirmed with a passkey',
    needs: ['factors'],
    gives: ['mailbox'],
    days: 0,
    told: ['the old address'],
    test: [recovery, 'keeps the passkeys if another address is confirmed meanwhile'],
  },
  {
    step: 'change the address, confirmed with a recovery code',
    needs: ['session', 'codes'],
    gives: ['mailbox'],
    days: 0,
    told: ['you', 'the old address'],
    test: [recovery, 'changes the address and adds a passkey with recovery codes'],
  },
  {
    step: 'add a passkey, confirmed with a recovery code',
    needs: ['session', 'codes', 'mailbox'],
    gives: ['factors'],
    days: 0,
    told: ['you'],
    test: [recovery, 'changes the address and adds a passkey with recovery codes'],
  },
  {
    step: '`/recover` with a recovery code',
    needs: ['mailbox', 'codes'],
    gives: ['unprotected'],
    days: 0,
    told: ['you', 'all owners'],
    test: [recovery, 'recovers at once with the emailed link and a recovery code'],
  },
  {
    step: '`/recover`, approved by another owner',
    needs: ['mailbox', 'owner'],
    gives: ['unprotected'],
    days: 0,
    told: ['you', 'all owners'],
    test: [recovery, 'recovers at once when another owner approves it with presence'],
  },
  {
    step: '`/recover` with the DNS record',
    needs: ['mailbox', 'domain'],
    gives: ['unprotected'],
    days: 0,
    told: ['you', 'all owners'],
    test: [recovery, 'recovers at once with a DNS record at the primary domain that every resolver finds'],
  },
  {
    step: '`/recover` and wait',
    needs: ['mailbox'],
    gives: ['unprotected'],
    days: 7,
    told: ['you', 'all owners, twice'],
    test: [recovery, 'recovers with the mailbox alone after seven days, and emails all owners twice'],
  },
  {
    step: '`/recover` while signed in, with the DNS record',
    needs: ['session', 'domain'],
    gives: ['unprotected'],
    days: 0,
    told: ['you', 'all owners'],
    test: [recovery, 'recovers with a session and a DNS record without the mailbox, and never by waiting'],
  },
  {
    step: 'choose a password by email',
    needs: ['unprotected', 'mailbox'],
    gives: ['password'],
    days: 0,
    told: ['you'],
    test: ['tests/api/accounts.test.ts', 'lets no login with the old password begin a session that outlives the reset'],
  },
  {
    step: 'change the address, confirmed with the password',
    needs: ['unprotected', 'password'],
    gives: ['mailbox'],
    days: 0,
    told: ['the old address'],
    test: [addresses, 'changes when the new mailbox shows its code, and then signs in'],
  },
  {
    step: 'add a passkey',
    needs: ['unprotected', 'password', 'mailbox'],
    gives: ['factors'],
    days: 0,
    told: ['you'],
    test: [passkeys, 'are added with a code from the email'],
  },
  {
    step: 'another owner invites your new address',
    needs: ['owner'],
    gives: ['access'],
    days: 0,
    told: ['all owners'],
    // People prefer to keep their account.
    effort: 4,
    test: ['tests/api/members.test.ts', 'join with the link of an invitation, once, and act with their own session'],
  },
  // Outside the registry: the domain’s holder decides where its email goes.
  {
    step: 'direct the email of your domain to a new mailbox',
    needs: ['domain'],
    gives: ['mailbox'],
    days: 0,
    told: [],
  },
]

const has = (held: ReadonlySet<Holding>, needed: readonly Holding[]) => needed.every((each) => held.has(each))

interface Path {
  steps: readonly Way[]
  days: number
  effort: number
}

/** The shortest way back: the fewest days, then the least effort. Undefined if there is none. */
const findPath = (initial: readonly Initial[]): Path | undefined => {
  const best = new Map<string, Path>()
  const isBetter = (path: Path, than: Path | undefined) =>
    !than || path.days < than.days || (path.days === than.days && path.effort < than.effort)
  const found: { path?: Path } = {}
  const visit = (held: ReadonlySet<Holding>, path: Path) => {
    const key = [...held].sort().join()
    if (!isBetter(path, best.get(key)) || (found.path && !isBetter(path, found.path))) return
    best.set(key, path)
    if (held.has('access')) {
      found.path = path
      return
    }
    for (const way of ways)
      if (has(held, way.needs) && !has(held, way.gives))
        visit(new Set([...held, ...way.gives]), {
          steps: [...path.steps, way],
          days: path.days + way.days,
          effort: path.effort + (way.effort ?? 1),
        })
  }
  visit(new Set(initial), { steps: [], days: 0, effort: 0 })
  return found.path
}

const combinations = Array.from({ length: 2 ** holdings.length }, (_, bits) =>
  holdings.filter((_holding, index) => (bits >> index) % 2 === 1),
)

/** What docs/accounts.md promises: any of these is enough. */
const promised = (left: readonly Initial[]) =>
  (['factors', 'mailbox', 'owner', 'domain'] as const).some((each) => left.includes(each)) ||
  (left.includes('codes') && (left.includes('password') || left.includes('session')))

it('leads back to the company in exactly the promised combinations', () => {
  expect(combinations).toHaveLength(128)
  const lockedOut = combinations.filter((left) => promised(left) && !findPath(left))
  expect(lockedOut).toEqual([])
  expect(combinations.filter((left) => !promised(left) && findPath(left))).toEqual([])
  // Only the mailbox alone waits.
  const slow = combinations.filter((left) => findPath(left)?.days === 7)
  expect(
    slow.every((left) => !['factors', 'codes', 'owner', 'domain'].some((each) => left.includes(each as Initial))),
  ).toBe(true)
})

/** The rows of docs/accounts.md: what is lost, and what there is besides. */
const rows: readonly { lost: string; left: readonly Initial[] }[] = [
  { lost: 'password', left: ['factors', 'codes', 'mailbox'] },
  { lost: 'passkeys', left: ['password', 'codes', 'mailbox'] },
  { lost: 'password and passkeys', left: ['codes', 'mailbox'] },
  { lost: 'passkeys and codes; another owner', left: ['password', 'mailbox', 'owner'] },
  { lost: 'passkeys and codes; access to DNS', left: ['password', 'mailbox', 'domain'] },
  { lost: 'passkeys and codes', left: ['password', 'mailbox'] },
  { lost: 'mailbox', left: ['password', 'factors', 'codes'] },
  { lost: 'mailbox and passkeys', left: ['password', 'codes'] },
  { lost: 'mailbox, passkeys and codes; access to DNS', left: ['password', 'domain'] },
  { lost: 'all but the mailbox, or the only owner is gone', left: ['mailbox'] },
  { lost: 'everything; another owner', left: ['owner'] },
  { lost: 'everything; access to DNS', left: ['domain'] },
]

const toldBy = ({ steps }: Path) => {
  const told = [...new Set(steps.flatMap((way) => way.told))]
  const isTwice = told.includes('all owners, twice')
  return told.filter((each) => !isTwice || each !== 'all owners').join('; ') || 'no one'
}

const lineOf = ({ lost, left }: (typeof rows)[number]) => {
  const path = findPath(left)
  if (!path) throw new Error(`no way back without ${lost}`)
  const [last, ...before] = path.steps.map(({ step }) => step).reverse()
  const steps = (before.length > 0 && last === ways[0]?.step ? before.reverse() : [...before.reverse(), last]).join(
    ', then ',
  )
  return `| ${lost} | ${steps} | ${path.days === 0 ? 'minutes' : `${path.days} days`} | ${toldBy(path)} |`
}

it('is written in docs/accounts.md as it is computed here', () => {
  const text = readFileSync(join(root, 'docs/accounts.md'), 'utf8')
  const [, table = ''] = /\n\| Lost \| [^\n]*\n[^\n]*\n((?:\|[^\n]*\n)+)/.exec(text) ?? []
  expect(table.trim().split('\n')).toEqual(rows.map(lineOf))
})

it.each(ways.filter(({ test }) => test))('names a test that does it: $step', ({ test }) => {
  const [file = '', name = ''] = test ?? []
  expect(existsSync(join(root, file)), file).toBe(true)
  expect(readFileSync(join(root, file), 'utf8').includes(name), name).toBe(true)
})
