import { addDryRun, type Command, example } from '../../args/command.ts'
import { maskKey } from '../../config/credential.ts'
import { checkSetting } from '../../config/settings.ts'
import type { Context } from '../../context.ts'
import { Failure } from '../../failure.ts'
import { printChange } from '../../registry/request.ts'
import { describeSaved } from '../../render/company.ts'
import { printable, table } from '../../render/output.ts'

/** Profiles keep keys for several providers or registries on one machine. */
export const declareAuthProfiles = (auth: Command) => {
  const list = auth
    .command('list')
    .summary('List the profiles on this machine')
    .description('Lists the profiles on this machine and marks the active one. Doesn’t contact a registry.')
    .action(async (context) => {
      const profiles = context.profile.store.list().map((name) => entryOf(context, name))
      context.out.print({
        value: { profiles },
        ids: profiles.map(({ profile }) => profile),
        text: (paint) =>
          profiles.length === 0
            ? 'No profiles yet; make one with: countersign auth login'
            : table(
                ['', 'PROFILE', 'PROVIDER', 'REGISTRY', 'KEY'],
                profiles.map((each) => [
                  each.is_active ? '*' : '',
                  each.profile,
                  describeSaved(each.company_name) ?? each.provider_id ?? '-',
                  each.api_url ?? '-',
                  each.key ?? 'none',
                ]),
                paint,
              ),
      })
    })
  example(list, 'auth list')

  const change = addDryRun(
    auth
      .command('switch')
      .summary('Switch to another profile')
      .description('Sets the profile to use when neither --profile nor COUNTERSIGN_PROFILE is given.')
      .argument('<name>', 'name of the profile', 'profile'),
  ).action(async (context, { args: [given = ''] }) => {
    const { store } = context.profile
    const name = checkSetting('profile', given)
    if (!store.exists(name))
      throw new Failure('not_found', 5, `There is no profile ${name}`, `See: countersign auth list. ${makeIt(name)}`)
    if (context.isDryRun) return printChange(context, store.activePath, { profile: name })
    await store.writeActive(name)
    const { is_active: _, ...value } = entryOf(context, name)
    context.out.print({
      value,
      ids: [name],
      text: () => usingProfile(name, describeSaved(value.company_name)),
    })
    const stated = context.env.COUNTERSIGN_PROFILE
    if (stated && stated !== name) context.out.warn(`COUNTERSIGN_PROFILE is set and still selects ${stated}`)
  })
  example(change, 'auth switch staging')
}

export const usingProfile = (name: string, company: string | undefined) =>
  printable(`Using profile ${name}${company === undefined ? '' : `: ${company}`}`)

const makeIt = (name: string) => `Create it with: countersign auth login --profile ${name}`

/** The profile’s owner and the first characters of its key. */
const entryOf = ({ profile }: Context, name: string) => {
  const { api_key, api_url, key_id, provider_id, company_name, expires_at } = profile.store.read(name)
  return {
    profile: name,
    is_active: name === profile.name,
    api_url: api_url ?? null,
    provider_id: provider_id ?? null,
    company_name: company_name ?? null,
    key: api_key === undefined ? null : maskKey(api_key),
    key_id: key_id ?? null,
    expires_at: expires_at ?? null,
  }
}
