import type { Countersign } from '@countersign/sdk'
import type { Membership } from '@countersign/sdk/contract'
import { addDryRun, type Command, example } from '../../args/command.ts'
import { required } from '../../args/required.ts'
import type { Context } from '../../context.ts'
import { Failure } from '../../failure.ts'
import { printChange } from '../../registry/request.ts'
import { hasSession, keepKey } from '../auth/auth.ts'
import { createKey, shownName, withSession } from '../auth/password-login.ts'

/** For people who belong to several providers: one profile for each. */
export const declareUse = (providers: Command) => {
  const use = addDryRun(
    providers
      .command('use')
      .summary('Act for another provider that you belong to')
      .description(
        'Switches to the profile of a provider. If this machine has no such profile, it makes one: with the session of `auth login`, or with --email and your password, which creates a key for that provider.',
      )
      .argument('<provider>', 'prv_…, its domain or its company name', 'text')
      .option('--email <address>', 'your address, to sign in', 'email')
      .option('--password-stdin', 'read the password from stdin instead of prompting'),
  ).action(async (context, { args: [which = ''], flags }) => {
    const { store } = context.profile
    const name = findProfile(context, which)
    if (name !== undefined) {
      if (context.isDryRun) return printChange(context, store.activePath, { profile: name })
      await store.writeActive(name)
      const { api_url, provider_id, company_name = null, key_id = null } = store.read(name)
      context.out.print({
        value: { logged_in: true, profile: name, api_url, provider_id, company_name, key_id },
        ids: [name],
        text: () => `Using profile ${name} (${company_name ?? provider_id})`,
      })
      return
    }
    if (context.isDryRun) return printChange(context, store.activePath, { profile: freeName(context, which) })
    if (flags.text('email') === undefined && hasSession(context)) {
      const session = await context.connect()
      const found = await findMembership(session, which)
      const { api_key } = await session.members.use(found.provider_id)
      const { expires_at } = context.profile.saved
      return keepIn(context, found, () => Promise.resolve(api_key), expires_at)
    }
    const { email } = await required(context, [['email', 'email', 'Email']])
    await withSession(context, { email, isPiped: flags.isOn('passwordStdin') }, async (session) => {
      const found = await findMembership(session, which)
      const { api_key: consoleKey } = await session.members.use(found.provider_id)
      const own = await context.connect({ apiKey: consoleKey })
      await keepIn(context, found, () => createKey(own, found.role))
    })
  })
  example(use, 'providers use acme.example', 'providers use contoso.example --email ada@home.example')
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

/** A profile with a key for that provider at this registry. */
const findProfile = (context: Context, which: string): string | undefined => {
  const { store } = context.profile
  const origin = new URL(context.setting('api_url') ?? '').origin
  return store.list().find((name) => {
    const { api_key, key_origin, provider_id, company_name } = store.read(name)
    const isNamed = [provider_id, company_name, name].some((each) => isSame(each, which))
    return isNamed && api_key !== undefined && key_origin === origin
  })
}

const findMembership = async (session: Countersign, which: string): Promise<Membership> => {
  const { providers } = await session.members.providers()
  const found = providers.find(({ provider_id, domain, company_name }) =>
    [provider_id, domain, company_name].some((each) => isSame(each, which)),
  )
  if (found) return found
  throw new Failure(
    'not_found',
    5,
    `You are not a member of ${JSON.stringify(which)}`,
    `You belong to: ${providers.map(shownName).join(', ')}`,
  )
}

/** Profile names have only letters, digits, hyphens and underscores. */
const freeName = ({ profile: { store } }: Context, wanted: string): string => {
  const base = wanted.replaceAll(/[^A-Za-z0-9_-]+/g, '-').slice(0, 60)
  const taken = new Set(store.list())
  for (let count = 1; ; count++) {
    const name = count === 1 ? base : `${base}-${count}`
    if (!taken.has(name)) return name
  }
}
