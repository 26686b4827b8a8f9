import { NewProvider } from '@countersign/sdk/contract'
import { quote } from '@countersign/sdk/words'
import { addDryRun, type Declare, example } from '../../args/command.ts'
import { checkBy, required, sendRequired } from '../../args/required.ts'
import { maskKey } from '../../config/credential.ts'
import type { Context } from '../../context.ts'
import { Failure } from '../../failure.ts'
import { openPage, webOption } from '../../io/browser.ts'
import { readWithTag } from '../../registry/edit-tag.ts'
import { printRequest } from '../../registry/request.ts'
import { describeSaved } from '../../render/company.ts'
import { facts } from '../../render/output.ts'
import { shownLevel } from '../../render/trust-level.ts'
import { deactivated, saved } from '../auth/auth.ts'
import { methodOf, methodOption, methodWords, printProof, printVerdict, recordLine } from './domain-proof.ts'
import { declareAccount } from './provider-account.ts'
import { declareUse } from './use-provider.ts'

const abouts = {
  company_name: 'name of the company',
  email: 'email address of the account',
  website: 'https://…; its domain becomes your identity once proven',
} as const

const needed = [
  ['companyName', 'company_name', 'Company name'],
  ['email', 'email', 'Email', abouts.email],
  ['website', 'website', 'Website', abouts.website],
] as const

const listingProblemWords = {
  name_not_allowed: 'no: the company name breaks the naming rules',
  name_protected: 'no: the company name is reserved for another domain',
  name_looks_alike: 'no: the company name resembles that of a provider with a proven domain',
} as const

export const declare: Declare = (providers) => {
  example(providers, 'providers register', 'providers verify-domain')

  const register = addDryRun(
    providers
      .command('register')
      .summary('Register a provider and receive its first API key')
      .description('Registers a provider, saves its first API key in the profile, and prints how to prove the domain.')
      .option('--company-name <name>', abouts.company_name, 'text')
      .option('--email <address>', abouts.email, 'email')
      .option('--website <url>', abouts.website, 'url')
      .option('--description <text>', 'what the company does', 'text')
      .option('--unlisted', 'keep the provider out of lists and search')
      .option('--no-save', 'print the key instead of saving it'),
  ).action(async (context, { flags }) => {
    const isSaving = flags.all.save !== false
    if (isSaving) refuseToReplaceKey(context)
    const names = await required(context, needed, { check: checkBy(NewProvider) })
    const others = {
      description: context.field('description', 'company_description'),
      ...(flags.isOn('unlisted') ? { is_listed: false } : {}),
    }
    if (context.isDryRun) return printRequest(context, 'providers', 'register', {}, { ...names, ...others })
    const client = await context.connect({ key: 'optional' })
    const { answer, company_name } = await sendRequired(context, needed, names, async (typed) => ({
      answer: await client.providers.register({ ...typed, ...others }),
      company_name: typed.company_name,
    }))
    if (isSaving)
      await context.profile.save({
        ...saved(context, answer.api_key),
        key_id: answer.key_id,
        is_only_copy: context.out.mode === 'json' ? undefined : 'yes',
        provider_id: answer.provider_id,
        company_name,
      })
    const { domain_proof: proof } = answer
    context.out.print({
      value: answer,
      ids: [answer.provider_id],
      text: (paint) =>
        facts(
          [
            ['provider', answer.provider_id],
            ['domain', `${proof.domain} (not verified yet)`],
            ['api key', isSaving ? `saved in ${context.profile.path}` : answer.api_key, 'copied'],
          ],
          paint,
        ),
    })
    context.out.say(
      `\nNext, prove the domain. Publish this DNS record:\n\n  ${recordLine(proof)}\n\nThen run: countersign providers verify-domain`,
    )
  })
  example(
    register,
    'providers register --company-name "Acme AI" --email ops@acme.example --website https://acme.example',
  )

  const verifyDomain = addDryRun(
    providers
      .command('verify-domain')
      .summary('Check your primary domain’s proof now')
      .description(
        'Asks the registry to check the DNS record, or the file on your website, that proves your primary domain. Exits 3 if it is missing and 9 if it could not be checked. For other domains: countersign domains.',
      )
      .verdicts(3, 9)
      .option(...methodOption)
      .option(
        '--record',
        'only print what to publish: the DNS record as a zone-file line, or the file’s address and content',
      ),
  ).action(async (context, { flags }) => {
    if (flags.isOn('record')) {
      const { domain_proof: proof } = await (await context.connect()).providers.me()
      if (proof === null)
        throw new Failure('no_website', 2, 'Your provider has no website, so there is no domain to prove.')
      printProof(context, flags, proof)
      return 0
    }
    if (context.isDryRun) {
      printRequest(context, 'providers', 'verifyDomain', {}, methodOf(flags))
      return 0
    }
    return printVerdict(context, flags, await (await context.connect()).providers.verifyDomain(methodOf(flags)))
  })
  example(verifyDomain, 'providers verify-domain', 'providers verify-domain --record')

  const show = providers
    .command('show')
    .summary('Show your provider')
    .description('Shows your provider as stored by the registry, with its API key masked.')
    .option(...webOption)
    .action(async (context, { flags }) => {
      const { record: me, etag } = await readWithTag((await context.connect()).providers.me())
      const opened = flags.isOn('web') ? await openPage(context, `/providers/${me.id}`) : undefined
      context.out.print({
        value: { ...me, api_key: maskKey(me.api_key), ...(etag !== null && { etag }) },
        ids: [me.id],
        text: (paint) =>
          opened ??
          facts(
            [
              [
                'domain',
                me.domain === null
                  ? null
                  : `${me.domain} (${me.domain_verified ? `verified by ${methodWords[me.domain_verification_method ?? 'dns']}` : me.domain_status === 'stale' ? 'could not be checked' : 'not verified'})`,
              ],
              ['company', me.company_name && quote(me.company_name)],
              ['provider', me.id],
              ['email', me.email === null ? null : `${me.email} (${me.email_verified ? 'verified' : 'not verified'})`],
              ['website', me.website],
              ['trust', `${shownLevel(me.trust_level)}, ${me.trust_score} of 100`],
              ['state', me.is_active ? null : deactivated],
              [
                'listed',
                me.is_listed ? 'yes' : me.listing_problem === null ? 'no' : listingProblemWords[me.listing_problem],
              ],
              [
                'note',
                me.similar_name_domain &&
                  `Another provider has had a similar name and a proven domain for longer: ${me.similar_name_domain}`,
              ],
              ['models', `${me.public_models} public`],
              ['ETag', etag],
            ],
            paint,
          ),
      })
    })
  example(show, 'providers show --json')

  declareAccount(providers)
  declareUse(providers)
}

// The saved key may be the only copy.
const refuseToReplaceKey = ({ profile }: Context) => {
  if (profile.saved.api_key === undefined) return
  throw new Failure(
    'profile_in_use',
    6,
    `Profile ${profile.name} already has a key for ${describeSaved(profile.saved.company_name) ?? 'a provider'} at ${profile.saved.key_origin ?? 'a registry'}`,
    'Choose another --profile NAME, sign out first, or use --no-save',
  )
}
