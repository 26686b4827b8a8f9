import { ApiError, type Countersign } from '@countersign/sdk'
import type { Membership } from '@countersign/sdk/contract'
import { describeCompany } from '@countersign/sdk/words/company'
import { addDryRun, type Command, example } from '../../args/command.ts'
import { required } from '../../args/required.ts'
import type { Context } from '../../context.ts'
import { Failure, usage } from '../../failure.ts'
import { printChange } from '../../registry/request.ts'
import { describeSaved } from '../../render/company.ts'
import { hasSession, keepKey } from '../auth/auth.ts'
import { usingProfile } from '../auth/auth-profiles.ts'
import { createKey, withSession } from '../auth/password-login.ts'

/** The registry says what is proven now; `domain` is only a proven one. */
type Company = Pick<Membership, 'provider_id' | 'company_name' | 'domain'>
/** A profile with a key for a provider at this registry. */
type Saved = Pick<Company, 'provider_id'> & { profile: string }

/** For people who belong to several providers: one profile for each. */
export const declareUse = (providers: Command) => {
  const use = addDryRun(
    providers
      .command('use')
      .summary('Act for another provider that you belong to')
      .description(
        'Switches to the profile of a provider. If this machine has no such profile, it makes one: with the session of `auth login`, or with --email and your password, which creates a key for that provider. A name works only with that session or --email, and only if no other of your companies has it or has proven it as its domain.',
      )
      .argument('<provider>', 'prv_…, its proven domain, its company name, or the profile', 'text')
      .option('--email <address>', 'your address, to sign in', 'email')
      .option('--password-stdin', 'read the password from stdin instead of prompting'),
  ).action(async (context, { args: [which = ''], flags }) => {
    const saved = listSaved(context)
    const named =
      saved.find(({ provider_id }) => isSame(provider_id, which)) ?? saved.find(({ profile }) => isSame(profile, which))
    if (named !== undefined) return switchTo(context, named.profile)
    const { store } = context.profile
    if (context.isDryRun) return printChange(context, store.activePath, { profile: freeName(context, which) })

    const here = await lookUp(context, saved)
    const proven = here.find(({ domain }) => isSame(domain, which))
    if (proven !== undefined) return switchTo(context, proven.profile, proven)
    /** Another of the person’s companies can have the name that is given, so all are compared. */
    const act = async (session: Countersign, make: (membership: Membership) => Promise<void>) => {
      const { providers } = await session.members.providers()
      const company = choose(which, [...here, ...providers])
      if ('profile' in company) return switchTo(context, company.profile, company)
      return make(company)
    }
    if (flags.text('email') === undefined && hasSession(context)) {
      const session = await context.connect()
      const { expires_at } = context.profile.saved
      return act(session, async (found) => {
        const { api_key } = await session.members.use(found.provider_id)
        await keepIn(context, found, () => Promise.resolve(api_key), expires_at)
      })
    }
    const namesakes = here.filter(({ company_name }) => isSame(company_name, which))
    if (flags.text('email') === undefined && namesakes.length > 0)
      throw usage(
        `Another of your companies may have the name ${JSON.stringify(which)} as well`,
        `Use the domain or the ID: ${namesakes.map(withId).join('; ')}. Or add --email to compare all of them`,
      )
    const { email } = await required(context, [['email', 'email', 'Email']])
    await withSession(context, { email, isPiped: flags.isOn('passwordStdin') }, (session) =>
      act(session, async (found) => {
        const { api_key: consoleKey } = await session.members.use(found.provider_id)
        const own = await context.connect({ apiKey: consoleKey })
        await keepIn(context, found, () => createKey(own, found.role))
      }),
    )
  })
  example(use, 'providers use acme.example', 'providers use contoso.example --email ada@home.example')
}

const switchTo = async (context: Context, profile: string, company?: Company) => {
  const { store } = context.profile
  if (context.isDryRun) return printChange(context, store.activePath, { profile })
  await store.writeActive(profile)
  const { api_url, provider_id, company_name = null, key_id = null } = store.read(profile)
  const proven = company?.domain == null ? {} : { domain: company.domain, domain_verified: true }
  context.out.print({
    value: { logged_in: true, profile, api_url, provider_id, ...proven, company_name, key_id },
    ids: [profile],
    text: () =>
      usingProfile(profile, company === undefined ? (describeSaved(company_name) ?? provider_id) : shown(company)),
  })
}

/** In a new profile, which is then the active one. */
const keepIn = async (
  context: Context,
  { domain, provider_id }: Membership,
  make: () => Promise<string>,
  expires_at?: string,
) => {
  const { store, saved } = context.profile
  const profile = freeName(context, domain ?? provider_id)
  const { tls_url, ca_file, timeout } = saved
  await store.write(profile, { tls_url, ca_file, timeout })
  await keepKey(context, await make(), { name: profile, ...(expires_at !== undefined && { expires_at }) })
  await store.writeActive(profile)
}

const isSame = (a: string | null | undefined, b: string) => a?.toLowerCase() === b.toLowerCase()

const listSaved = (context: Context): Saved[] => {
  const { store } = context.profile
  const origin = new URL(context.setting('api_url') ?? '').origin
  return store.list().flatMap((profile) => {
    const { api_key, key_origin, provider_id } = store.read(profile)
    return api_key !== undefined && key_origin === origin && provider_id !== undefined ? [{ profile, provider_id }] : []
  })
}

/** What the registry's public pages say of them: a profile knows only what was so at sign-in. */
const lookUp = async (context: Context, saved: readonly Saved[]): Promise<(Saved & Company)[]> => {
  if (saved.length === 0) return []
  const client = await context.connect({ key: 'none' })
  return Promise.all(
    saved.map(async (each) => {
      const unknown = { ...each, company_name: null, domain: null }
      const found = await client.providers.get(each.provider_id).catch(hidden)
      if (found === undefined) return unknown
      const { company_name, domain, domain_verified } = found
      return { ...unknown, company_name, domain: domain_verified ? domain : null }
    }),
  )
}

/** Its provider is deactivated or deleted. */
const hidden = (error: unknown) => {
  if (error instanceof ApiError && error.status === 404) return undefined
  throw error
}

const choose = <Each extends Company>(which: string, all: readonly Each[]): Each => {
  const ids = new Set<string>()
  const companies = all.filter(({ provider_id }) => !ids.has(provider_id) && ids.add(provider_id))
  const by = (key: keyof Company) => companies.filter((each) => isSame(each[key], which))
  // Anyone can choose the name of a company.
  const [found, ...others] =
    [by('provider_id'), by('domain'), by('company_name')].find(({ length }) => length > 0) ?? []
  if (found === undefined)
    throw new Failure(
      'not_found',
      5,
      `You are not a member of ${JSON.stringify(which)}`,
      `You belong to: ${companies.map(withId).join('; ')}`,
    )
  if (others.length === 0) return found
  throw usage(
    `${JSON.stringify(which)} is the name of several of your companies`,
    `Use the ID of one: ${[found, ...others].map(withId).join('; ')}`,
  )
}

const shown = ({ provider_id: id, ...company }: Company) => describeCompany({ id, ...company })

const withId = (company: Company) => `${shown(company)}: ${company.provider_id}`

/** Profile names have only letters, digits, hyphens and underscores. */
const freeName = ({ profile: { store } }: Context, wanted: string): string => {
  const base = wanted.replaceAll(/[^A-Za-z0-9_-]+/g, '-').slice(0, 60)
  const taken = new Set(store.list())
  for (let count = 1; ; count++) {
    const name = count === 1 ? base : `${base}-${count}`
    if (!taken.has(name)) return name
  }
}
