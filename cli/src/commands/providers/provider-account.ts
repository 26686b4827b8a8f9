import {
  type DeletedProvider,
  type ProviderUpdate,
  providerFieldRows,
  providerFieldsWith,
} from '@countersign/sdk/contract'
import { quote } from '@countersign/sdk/words'
import { describeProvider } from '@countersign/sdk/words/company'
import type { z } from 'zod'
import { addConfirmation, addDryRun, type Command, example, type Flags, nameOf } from '../../args/command.ts'
import { providerIdOf } from '../../args/provider-id.ts'
import type { Context } from '../../context.ts'
import { usage } from '../../failure.ts'
import { ifMatchHeaders, ifMatchOption, namingLostRace } from '../../registry/edit-tag.ts'
import { printRequest } from '../../registry/request.ts'
import { describeDomain } from '../../render/company.ts'
import { facts, printable, table } from '../../render/output.ts'
import { shellWord } from '../../render/shell-word.ts'
import { shownTime } from '../../render/shown-time.ts'
import { shownLevel } from '../../render/trust-level.ts'
import { noKeySaved } from '../auth/auth.ts'

type Input = z.input<typeof ProviderUpdate>

const readProfile = (flags: Flags): Input => {
  const body: Record<string, unknown> = {}
  for (const [name, { option, kind }] of providerFieldRows) {
    const given = flags.all[nameOf(option)]
    if (given !== undefined) body[name] = kind === 'year' && given !== '' ? numberOf(String(given), option) : given
  }
  if (Object.keys(body).length === 0) throw usage('Nothing to change', 'See: countersign help providers update')
  return body as Input
}

const numberOf = (text: string, flag: string) => {
  if (/^\d+$/.test(text)) return Number(text)
  throw usage(`${flag} must be a whole number, not ${JSON.stringify(text)}`)
}

/** The ID for a dry run, which doesn't contact the registry. */
const shownId = ({ profile }: Context) => profile.saved.provider_id ?? ':id'

/** What a provider does with its own account. */
export const declareAccount = (providers: Command) => {
  declareVerifyEmail(providers)
  declareUpdate(providers)
  declareVisibility(providers)
  declareLogo(providers)
  declareTrust(providers)
  declareLeaving(providers)
}

const declareVerifyEmail = (providers: Command) => {
  const verifyEmail = addDryRun(
    providers
      .command('verify-email')
      .summary('Verify your email address')
      .description('Without --code, emails a code to the address of your account. With the code, verifies the address.')
      .option('--code <code>', 'from the email', 'text'),
  ).action(async (context, { flags }) => {
    const code = flags.text('code')
    const body = code === undefined ? {} : { verification_code: code }
    if (context.isDryRun)
      return printRequest(context, 'auth', code === undefined ? 'sendVerification' : 'verifyEmail', {}, body)
    const client = await context.connect()
    if (code === undefined) {
      const me = await client.providers.me()
      if (me.email_verified) {
        const message = `${me.email} is already verified; no email was sent`
        context.out.print({ value: { needs_verification: false, message }, ids: [], text: () => printable(message) })
        return
      }
      const sent = await client.auth.sendVerification({})
      context.out.print({ value: sent, ids: [], text: () => printable(sent.message) })
      context.out.say('\nThen run: countersign providers verify-email --code CODE')
      return
    }
    const verified = await client.auth.verifyEmail({ verification_code: code })
    context.out.print({
      value: verified,
      ids: [verified.provider_id],
      text: (paint) =>
        facts(
          [
            ['email', `${verified.email} (verified)`],
            [
              'domain',
              verified.domain_verified ? 'verified' : 'not verified; run: countersign providers verify-domain',
            ],
          ],
          paint,
        ),
    })
  })
  example(verifyEmail, 'providers verify-email', 'providers verify-email --code 7K4M9-QXT2B')
}

const declareUpdate = (providers: Command) => {
  const update = providers
    .command('update')
    .summary('Change your profile')
    .description('Changes the given fields and leaves the rest. An empty value clears a field.')
  for (const [, { option, help, kind, choices }] of providerFieldRows) {
    const value = { kind: kind === 'year' ? ('number' as const) : ('text' as const), isRepeated: kind === 'words' }
    update.option(option, help, choices === undefined ? value : { ...value, choices: [...choices, ''] })
  }
  update.option(...ifMatchOption)
  addConfirmation(update).action(async (context, { flags }) => {
    const body = readProfile(flags)
    const headers = ifMatchHeaders(flags)
    if (context.isDryRun) return printRequest(context, 'providers', 'update', { id: shownId(context) }, body, headers)
    const client = await context.connect()
    const lists = providerFieldsWith({ kind: 'words' }).filter((name) => body[name] !== undefined)
    const me = body.website === undefined && lists.length === 0 ? undefined : await client.providers.me()
    const proven = body.website !== undefined && me?.domain_verified ? me.domain : null
    if (proven !== null && !isAt(String(body.website), proven))
      await context.confirm(
        `Change the website? Its domain replaces ${proven} as the primary domain and must be proven.`,
      )
    const id = await providerIdOf(context, client)
    const changed = await client.providers.update(id, body, { headers }).catch(namingLostRace(id, 'providers show'))
    context.out.print({
      value: { ...changed, api_key: undefined },
      ids: [changed.id],
      text: (paint) =>
        facts(
          [
            ['domain', describeDomain(changed)],
            ['company', changed.company_name && quote(changed.company_name)],
            ['website', changed.website],
            ['changed', Object.keys(body).join(', ')],
            ...lists.map(
              (name) => [name.replaceAll('_', ' '), `${listed(me?.[name])} → ${listed(changed[name])}`] as const,
            ),
          ],
          paint,
        ),
    })
    if (changed.domain_verification_updated && !changed.domain_verified)
      context.out.say('\nThe domain has changed. Prove it with: countersign providers verify-domain')
  })
  example(update, 'providers update --support-email help@acme.example --hq-city Oslo')
}

const listed = (names: readonly string[] = []) => (names.length === 0 ? 'none' : names.join(', '))

const isAt = (website: string, domain: string) =>
  URL.canParse(website) && `.${new URL(website).hostname}`.endsWith(`.${domain}`)

const declareVisibility = (providers: Command) => {
  const visibility = addDryRun(
    providers
      .command('visibility')
      .summary('List or unlist your provider')
      .description('A listed provider appears in lists and search. An unlisted one can only be reached by its address.')
      .argument('<state>', 'listed or unlisted', { suggestions: ['listed', 'unlisted'] }),
  ).action(async (context, { args: [state = ''] }) => {
    if (state !== 'listed' && state !== 'unlisted')
      throw usage(`The state must be listed or unlisted, not ${JSON.stringify(state)}`)
    const body = { is_listed: state === 'listed' }
    if (context.isDryRun) return printRequest(context, 'providers', 'setVisibility', { id: shownId(context) }, body)
    const client = await context.connect()
    const changed = await client.providers.setVisibility(await providerIdOf(context, client), body)
    context.out.print({
      value: { ...changed, api_key: undefined },
      ids: [changed.id],
      text: () => (changed.is_listed ? 'Provider listed' : 'Provider unlisted'),
    })
  })
  example(visibility, 'providers visibility listed')
}

const declareLogo = (providers: Command) => {
  const logo = addDryRun(
    providers
      .command('logo')
      .summary('Upload your logo')
      .description('Uploads a PNG, JPEG or WebP image under 5 MiB. The registry decodes it and encodes it again.')
      .argument('[file]', 'path of the image, or - for stdin', { kind: 'file', readsStdin: true })
      .option('--remove', 'remove the logo'),
  ).action(async (context, { args: [file], flags }) => {
    const isRemoving = flags.isOn('remove')
    if (isRemoving === (file !== undefined)) throw usage('Give an image, or use --remove')
    if (context.isDryRun) {
      return printRequest(
        context,
        'providers',
        isRemoving ? 'deleteLogo' : 'uploadLogo',
        { id: shownId(context) },
        isRemoving ? null : { file },
      )
    }
    const bytes = file === undefined ? undefined : await context.files.read(file)
    const client = await context.connect()
    const id = await providerIdOf(context, client)
    if (bytes === undefined) {
      const removed = await client.providers.deleteLogo(id)
      context.out.print({ value: removed, ids: [id], text: () => printable(removed.message) })
      return
    }
    const uploaded = await client.providers.uploadLogo(id, new Blob([new Uint8Array(bytes)]))
    context.out.print({
      value: uploaded,
      ids: [uploaded.logo_url],
      text: (paint) => facts([['logo', uploaded.logo_url, 'copied']], paint),
    })
  })
  example(logo, 'providers logo logo.png', 'providers logo --remove')
}

const declareTrust = (providers: Command) => {
  const trust = providers
    .command('trust')
    .summary('Show your trust score and what it lacks')
    .description(
      'Lists every component of the trust score, its points, and what would raise it. Components based only on your own claims are marked.',
    )
    .action(async (context) => {
      const { trust_level, trust_score, trust_factors, trust_breakdown } = await (
        await context.connect()
      ).providers.me()
      context.out.print({
        value: { trust_level, trust_score, trust_factors, trust_breakdown },
        ids: [trust_level],
        text: (paint) =>
          `${paint.bold(shownLevel(trust_level))}, ${trust_score} of 100\n\n${table(
            ['COMPONENT', 'POINTS', 'MISSING'],
            trust_breakdown.map(({ component, points, max_points, missing, self_attested }) => [
              component.replaceAll('_', ' ') + (self_attested ? ' (your own claim)' : ''),
              `${points} of ${max_points}`,
              missing ?? '',
            ]),
            paint,
          )}`,
      })
    })
  example(trust, 'providers trust')
}

const remove = async (context: Context, value: DeletedProvider, account: string) => {
  const { provider_id, change_id, deletes_at } = value
  if (change_id === null) {
    if (context.credential()?.source === 'profile') await context.profile.save(noKeySaved)
    return context.out.print({ value, ids: [provider_id], text: () => `Account deleted: ${printable(account)}` })
  }
  context.out.print({
    value,
    ids: [provider_id],
    text: () => `${printable(account)} will be deleted at ${shownTime(deletes_at)}. All owners are emailed.`,
  })
  context.out.say(`\nUntil then any owner can cancel it: countersign changes cancel ${shellWord(change_id)}`)
}

const declareLeaving = (providers: Command) => {
  const row = (name: 'deactivate' | 'reactivate' | 'delete', summary: string, description: string, done: string) => {
    const command = providers.command(name).summary(summary).description(description)
    const declared = name === 'reactivate' ? addDryRun(command) : addConfirmation(command)
    declared.action(async (context) => {
      if (context.isDryRun)
        return printRequest(context, 'providers', name, { id: shownId(context) }, name === 'delete' ? null : {})
      const client = await context.connect()
      const me = await client.providers.me()
      const { id } = me
      const account = `${describeProvider(me)} at ${context.setting('api_url')}`
      if (name === 'deactivate') await context.confirm(`Deactivate ${account}? All its links stop working at once.`)
      if (name === 'delete') await context.confirm(`Delete ${account} permanently?`)
      if (name === 'delete') return remove(context, await client.providers.delete(id), account)
      const value = { ...(await client.providers[name](id, {})), api_key: undefined }
      context.out.print({ value, ids: [id], text: () => `${done}: ${printable(account)}` })
      if (name === 'deactivate') context.out.say('\nReactivate it with: countersign providers reactivate')
    })
    example(command, `providers ${name}${name === 'reactivate' ? '' : ' --yes'}`)
  }
  row(
    'deactivate',
    'Deactivate your provider',
    'All links stop working and all pages are hidden until you reactivate.',
    'Provider deactivated',
  )
  row(
    'reactivate',
    'Reactivate your provider',
    'Restores all pages, and all links that have not expired.',
    'Provider reactivated',
  )
  row(
    'delete',
    'Delete your account permanently',
    'Links stop working, pages disappear and personal data is erased: at once, or after 24 hours if your provider is protected. The event log stays, without names.',
    'Account deleted',
  )
}
