import { ApiError, type Countersign } from '@countersign/sdk'
import { quote } from '@countersign/sdk/words'
import { describeProvider } from '@countersign/sdk/words/company'
import { addConfirmation, addDryRun, type Declare, example, type Flags } from '../../args/command.ts'
import { cleanKey, maskKey } from '../../config/credential.ts'
import { type Context, hasEnded } from '../../context.ts'
import { Failure, missingCredentials, usage } from '../../failure.ts'
import { printChange } from '../../registry/request.ts'
import { describeDomain, describeSaved } from '../../render/company.ts'
import { facts, printable } from '../../render/output.ts'
import { shownTime } from '../../render/shown-time.ts'
import { scopesOf } from '../keys/keys.ts'
import { declareAuthProfiles } from './auth-profiles.ts'

export const declare: Declare = (auth) => {
  example(auth, 'auth login', 'auth status --check')

  const login = addDryRun(
    auth
      .command('login')
      .summary('Sign in, and save a session or an API key in the profile')
      .description(
        'In a terminal, opens the browser, where you approve this machine by the code it shows. Its session may do what your role allows; what needs your passkey waits for your approval in the browser. With --api-key-stdin, checks an API key with the registry and saves it. The key is sent to that registry only. With --email, signs in with a password and creates a key for this machine; the password is not saved. With --oidc, no key is needed: a CI job that the provider trusts gets a token for 15 minutes.',
      )
      .option('--api-key-stdin', 'read the key from stdin')
      .option('--email <address>', 'sign in with the password of this account and create a key', 'email')
      .option('--password-stdin', 'with --email: read the password from stdin instead of prompting')
      .option('--oidc', 'sign in as the current CI job; see: countersign publishers')
      .option('--provider <id>', 'with --oidc: the provider to publish as, prv_…', 'text')
      .option('--audience <url>', 'with --oidc: the registry’s public address, if it differs from --api-url', 'url'),
  ).action(async (context, { flags }) => {
    checkWays(flags)
    if (!flags.isOn('apiKeyStdin')) refuseToLoseKey(context)
    if (flags.isOn('oidc')) {
      const { logInAsJob } = await import('./oidc-login.ts')
      return logInAsJob(context, flags)
    }
    const email = flags.text('email')
    if (email !== undefined) {
      const { logInWithPassword } = await import('./password-login.ts')
      return logInWithPassword(context, { email, isPiped: flags.isOn('passwordStdin') })
    }
    if (!flags.isOn('apiKeyStdin') && context.isInteractive && context.out.mode === 'text') {
      const { logInWithBrowser } = await import('./device-login.ts')
      return logInWithBrowser(context)
    }
    const key = cleanKey(await readKey(context, flags.isOn('apiKeyStdin')), 'the input')
    if (key !== context.profile.saved.api_key) refuseToLoseKey(context)
    if (context.isDryRun) return printChange(context, context.profile.path, saved(context, key))
    await keepKey(context, key)
  })
  example(
    login,
    'auth login',
    'auth login --api-key-stdin < key.txt',
    'auth login --email ops@acme.example --password-stdin < password.txt',
    'auth login --oidc --provider prv_06dh0e3x7c9bw4vjz2n8qk5ytm',
  )

  const status = auth
    .command('status')
    .summary('Show which key is used and where it comes from')
    .description('Shows which key is used and where it comes from. Contacts the registry only with --check.')
    .option('--check', 'ask the registry whether the key is valid')
    .action(async (context, { flags }) => {
      const found = context.credential()
      const api_url = context.setting('api_url')
      if (found === undefined) await context.connect()
      const { key_id, provider_id, company_name, publisher_id, expires_at } =
        found?.source === 'profile' ? context.profile.saved : {}
      const local = {
        logged_in: true,
        profile: context.profile.name,
        api_url,
        source: found?.source ?? null,
        store: found?.source === 'profile' ? context.profile.path : null,
        key: maskKey(found?.key ?? ''),
        key_id: key_id ?? null,
        provider_id: provider_id ?? null,
        company_name: company_name ?? null,
        ...(publisher_id !== undefined && {
          publisher_id,
          expires_at: expires_at ?? null,
          is_expired: hasEnded(context),
        }),
        checked: false,
      }
      const client = flags.isOn('check') ? await context.connect() : undefined
      const me = await client?.providers.me()
      const key = client && me ? await keyFactsOf(client, me.key_id) : null
      const value =
        me === undefined
          ? local
          : {
              ...local,
              key_id: me.key_id,
              provider_id: me.id,
              domain: me.domain,
              domain_verified: me.domain_verified,
              company_name: me.company_name,
              ...key,
              ...(me.is_active ? {} : { state: deactivated }),
              checked: true,
            }
      context.out.print({
        value,
        ids: value.provider_id === null ? [] : [value.provider_id],
        text: (paint) => {
          const words = wordsOf(context, me ? keyWords(key) : { scopes: null, expires_at: null })
          return facts(
            [
              ['domain', me && (describeDomain(me) ?? 'none')],
              ['company', me ? me.company_name && quote(me.company_name) : describeSaved(company_name)],
              ['state', me?.is_active === false ? deactivated : null],
              ['provider', value.provider_id],
              ['publisher', publisher_id],
              ['key', value.key_id === null ? value.key : `${value.key_id} (${value.key})`],
              ['scopes', words.scopes],
              ['expires', words.expires_at],
              ['profile', value.profile],
              ['from', value.store ?? 'the environment'],
              ['registry', value.api_url],
              ['checked', value.checked ? 'yes' : 'no; use --check'],
            ],
            paint,
          )
        },
      })
    })
  example(status, 'auth status --check --json')

  const logout = addConfirmation(
    auth
      .command('logout')
      .summary('Remove the saved key')
      .description(
        'Removes the key from the profile. The key stays valid until it is revoked; a session ends. Asks only if the profile holds the only copy of the key.',
      ),
  ).action(async (context) => {
    const { profile, out } = context
    if (context.isDryRun) return printChange(context, profile.path, noKeySaved)
    const had = profile.saved.api_key !== undefined
    if (profile.saved.is_only_copy !== undefined)
      await context.confirm(`Sign out? The only copy of this key is in ${profile.path}.`, wayBack(context))
    // The session also expires by itself.
    if (hasSession(context)) await (await context.connect()).auth.signOut({}).catch(() => {})
    if (had) await profile.save(noKeySaved)
    out.print({
      value: { logged_out: had, profile: profile.name },
      ids: [],
      text: () => (had ? `Signed out of profile ${profile.name}` : `Profile ${profile.name} has no key`),
    })
  })
  example(logout, 'auth logout --profile staging')
  declareAuthProfiles(auth)
}

/** Only one sign-in method at a time. */
const checkWays = (flags: Flags) => {
  const ways = [
    flags.isOn('oidc') && '--oidc',
    flags.isOn('apiKeyStdin') && '--api-key-stdin',
    flags.text('email') !== undefined && '--email',
  ].filter((way) => way !== false)
  if (ways.length > 1) throw usage(`${ways.join(' and ')} cannot be used together`)
  if (!flags.isOn('oidc') && (flags.text('provider') !== undefined || flags.text('audience') !== undefined))
    throw usage('--provider and --audience require --oidc')
  if (flags.text('email') === undefined && flags.isOn('passwordStdin')) throw usage('--password-stdin requires --email')
}

/** The registry never shows a key again, so signing in must not replace the only copy. */
const refuseToLoseKey = ({ profile }: Context) => {
  const { is_only_copy, company_name } = profile.saved
  if (is_only_copy === undefined) return
  throw new Failure(
    'profile_in_use',
    6,
    `Profile ${profile.name} has the only copy of a key of ${describeSaved(company_name) ?? 'a provider'}, which signing in would replace`,
    'Choose another --profile NAME, or remove the key first: countersign auth logout',
  )
}

/** Asks the registry whose key this is, and saves it. */
export const keepKey = async (
  context: Context,
  key: string,
  { name = context.profile.name, expires_at }: { name?: string; expires_at?: string } = {},
) => {
  const me = await (await context.connect({ apiKey: key })).providers.me().catch(refusedKey)
  await context.profile.store.write(name, {
    ...saved(context, key),
    expires_at,
    is_only_copy: undefined,
    key_id: me.key_id ?? undefined,
    provider_id: me.id,
    company_name: me.company_name ?? undefined,
  })
  const value = {
    logged_in: true,
    profile: name,
    api_url: context.setting('api_url'),
    provider_id: me.id,
    domain: me.domain,
    domain_verified: me.domain_verified,
    company_name: me.company_name,
    key_id: me.key_id,
  }
  context.out.print({
    value,
    ids: [me.id],
    text: () => printable(`Signed in as ${describeProvider(me)}`),
  })
  const what = isSession(key) ? 'The session' : 'The key'
  context.out.say(`${what} is saved in ${context.profile.store.pathOf(name)}`)
}

export const deactivated = 'deactivated; run: countersign providers reactivate'

/** A profile without its key. */
export const noKeySaved = {
  api_key: undefined,
  key_origin: undefined,
  key_id: undefined,
  is_only_copy: undefined,
  provider_id: undefined,
  company_name: undefined,
  publisher_id: undefined,
  expires_at: undefined,
}

/** Scopes and expiry of the key in use; null if it isn't in the key list or may not read the list. */
export const keyFactsOf = async (client: Countersign, key_id: string | null) => {
  try {
    const found = (await client.keys.list()).find(({ id }) => id === key_id)
    return found === undefined ? null : { scopes: found.scopes, expires_at: found.expires_at }
  } catch (error) {
    if (error instanceof ApiError && error.code === 'forbidden') return null
    throw error
  }
}

/** A device session, or its key for another provider of the person. */
const isSession = (key: string) => /^cs[sc]_/.test(key)

/** From `auth login` in a browser. */
export const hasSession = (context: Context) =>
  context.credential()?.source === 'profile' && isSession(context.profile.saved.api_key ?? '')

/** Scopes and expiry in words. */
export const wordsOf = <Words extends { scopes: string | null }>(context: Context, ofKey: Words) => {
  if (hasSession(context)) return sessionWords(context)
  return publisherOf(context) === undefined ? ofKey : jobWords(context)
}

/** The trusted publisher, if the credential in use is a token from `auth login --oidc`. */
export const publisherOf = (context: Context) =>
  context.credential()?.source === 'profile' ? context.profile.saved.publisher_id : undefined

/** For a token from `auth login --oidc`. */
const jobWords = (context: Context) => ({
  scopes: 'publishing models and bundles',
  expires_at: `${shownTime(context.profile.saved.expires_at ?? '')}${hasEnded(context) ? ' (expired); run: countersign auth login --oidc' : ''}`,
  is_expired: null,
})

export const sessionWords = (context: Context) => ({
  scopes: 'what your role allows; dangerous changes wait for approval in the browser',
  expires_at: `${shownTime(context.profile.saved.expires_at ?? '')}, or after 12 hours without use`,
})

export const keyWords = (key: Awaited<ReturnType<typeof keyFactsOf>>) => ({
  scopes: key === null ? 'restricted; may not read its own scopes' : scopesOf(key),
  expires_at: key?.expires_at ? shownTime(key.expires_at) : key === null ? null : 'never',
})

const wayBack = (context: Context) =>
  `Create another key first: countersign keys create NAME. Or reset your password later at ${context.setting('api_url')}, sign in there and create a key in the console`

const refusedKey = (error: unknown) => {
  if (!(error instanceof ApiError) || error.code !== 'unauthorized') throw error
  throw new Failure(
    error.code,
    4,
    error.detail,
    'Check that it is complete, for this registry, and still valid. You can create another in the console',
    {
      cause: error,
    },
  )
}

/** What a profile stores about a key that this registry has accepted. */
export const saved = (context: Context, key: string) => {
  const api_url = context.setting('api_url') ?? ''
  return { api_key: key, key_origin: new URL(api_url).origin, api_url, publisher_id: undefined, expires_at: undefined }
}

const readKey = async ({ files, isInteractive, prompts }: Context, isPiped: boolean) => {
  if (isPiped && isInteractive) return prompts().secret('API key')
  if (isPiped) return new TextDecoder().decode(await files.read('-'))
  throw missingCredentials(
    'No API key was given, and only a terminal can show a code for the browser',
    'Use --api-key-stdin or --email with --password-stdin, or set COUNTERSIGN_API_KEY',
  )
}
