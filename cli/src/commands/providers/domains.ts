import { ApiError } from '@countersign/sdk'
import type { Domain } from '@countersign/sdk/contract'
import { addConfirmation, addDryRun, type Command, type Declare, example } from '../../args/command.ts'
import type { Context } from '../../context.ts'
import { Failure } from '../../failure.ts'
import { printRequest } from '../../registry/request.ts'
import { table } from '../../render/output.ts'
import { shellWord } from '../../render/shell-word.ts'
import { shownTime } from '../../render/shown-time.ts'
import { methodOf, methodOption, methodWords, printProof, printVerdict, recordLine } from './domain-proof.ts'

export const declare: Declare = (domains) => {
  example(domains, 'domains list', 'domains add northwind.example', 'domains verify northwind.example')
  declareList(domains)
  declareAdd(domains)
  declareVerify(domains)
  declareRemove(domains)
  declarePrimary(domains)
}

const stateOf = ({ status, method, stale_since, contest_ends_at, lost_at }: Domain): string => {
  if (status === 'proven') return `proven by ${methodWords[method ?? 'dns']}`
  if (status === 'stale') return `not confirmed since ${shownTime(stale_since ?? '')}`
  if (contest_ends_at !== null) return `claimed by another provider; decided ${shownTime(contest_ends_at)}`
  return lost_at === null ? 'not proven' : `lost ${shownTime(lost_at)}`
}

const declareList = (domains: Command) => {
  const list = domains
    .command('list')
    .summary('List your domains and their proofs')
    .description(
      'Lists your domains, the primary one first, with how each was proven and when that was last confirmed.',
    )
    .action(async (context) => {
      const found = await (await context.connect()).domains.list()
      context.out.print({
        value: found,
        ids: found.domains.map(({ domain }) => domain),
        text: (paint) =>
          found.domains.length === 0
            ? 'You have no domain yet. Add one: countersign domains add DOMAIN'
            : table(
                ['DOMAIN', 'PRIMARY', 'STATE', 'CONFIRMED'],
                found.domains.map((each) => [
                  each.domain,
                  primaryWords(each),
                  stateOf(each),
                  each.checked_at === null ? 'never' : shownTime(each.checked_at),
                ]),
                paint,
              ),
      })
    })
  example(list, 'domains list --json')
}

const primaryWords = ({ is_primary, becomes_primary_at }: Domain) => {
  if (becomes_primary_at !== null) return `from ${shownTime(becomes_primary_at)}`
  return is_primary ? 'yes' : ''
}

const declareAdd = (domains: Command) => {
  const add = addDryRun(
    domains
      .command('add')
      .summary('Add a domain')
      .description(
        'Adds a domain and prints the DNS record that proves it. Publish the record, then run domains verify.',
      )
      .argument('<domain>', 'for example northwind.example', 'text'),
  ).action(async (context, { args: [domain = ''] }) => {
    if (context.isDryRun) return printRequest(context, 'domains', 'add', {}, { domain })
    const added = await (await context.connect()).domains.add({ domain })
    context.out.print({ value: added, ids: [added.domain], text: () => `${added.domain}: ${stateOf(added)}` })
    if (added.status === 'unproven')
      context.out.say(
        `\nPublish this DNS record:\n\n  ${recordLine(added.domain_proof)}\n\nThen run: countersign domains verify ${shellWord(added.domain)}`,
      )
  })
  example(add, 'domains add northwind.example')
}

const declareVerify = (domains: Command) => {
  const verify = addDryRun(
    domains
      .command('verify')
      .summary('Check a domain’s proof now')
      .description(
        'Asks the registry to check the DNS record, or the file on the website, that proves the domain. Exits 3 if it is missing and 9 if it could not be checked.',
      )
      .verdicts(3, 9)
      .argument('<domain>', 'one of your domains', 'domain')
      .option(...methodOption)
      .option(
        '--record',
        'only print what to publish: the DNS record as a zone-file line, or the file’s address and content',
      ),
  ).action(async (context, { args: [domain = ''], flags }) => {
    if (flags.isOn('record')) {
      printProof(context, flags, (await findDomain(context, domain)).domain_proof)
      return 0
    }
    if (context.isDryRun) {
      printRequest(context, 'domains', 'verify', { domain }, methodOf(flags))
      return 0
    }
    return printVerdict(
      context,
      flags,
      await (await context.connect()).domains.verify(domain, methodOf(flags)).catch(namingDomain(domain)),
    )
  })
  example(verify, 'domains verify northwind.example', 'domains verify northwind.example --method file --record')
}

const declareRemove = (domains: Command) => {
  const remove = addConfirmation(
    domains
      .command('remove')
      .summary('Remove a domain')
      .description(
        'Removes a domain. Links minted under it are no longer verified. The primary domain cannot be removed.',
      )
      .argument('<domain>', 'one of your domains', 'domain'),
  ).action(async (context, { args: [domain = ''] }) => {
    if (context.isDryRun) return printRequest(context, 'domains', 'remove', { domain }, null)
    const client = await context.connect()
    await context.confirm(`Remove ${domain}? Links minted under it will no longer be verified.`)
    const removed = await client.domains.remove(domain).catch(namingDomain(domain))
    context.out.print({ value: removed, ids: [removed.domain], text: () => `Removed ${removed.domain}` })
  })
  example(remove, 'domains remove northwind.example --yes')
}

const declarePrimary = (domains: Command) => {
  const primary = addConfirmation(
    domains
      .command('primary')
      .summary('Make a proven domain the primary one')
      .description(
        'Makes a proven domain the primary one, shown on pages and new links. Existing links keep their domain.',
      )
      .argument('<domain>', 'one of your proven domains', 'domain'),
  ).action(async (context, { args: [domain = ''] }) => {
    if (context.isDryRun) return printRequest(context, 'domains', 'makePrimary', { domain }, {})
    const client = await context.connect()
    await context.confirm(`Make ${domain} your primary domain? Pages and new links will show it.`)
    const changed = await client.domains.makePrimary(domain, {}).catch(namingDomain(domain))
    context.out.print({
      value: changed,
      ids: [changed.domain],
      text: () => `${changed.domain} is now your primary domain`,
    })
  })
  example(primary, 'domains primary northwind.example --yes')
}

const namingDomain =
  (domain: string) =>
  (error: unknown): never => {
    if (!(error instanceof ApiError) || error.code !== 'not_found') throw error
    throw new Failure(error.code, 5, `${domain} is not one of your domains`, 'See: countersign domains list', {
      cause: error,
    })
  }

const findDomain = async (context: Context, domain: string): Promise<Domain> => {
  const { domains } = await (await context.connect()).domains.list()
  const found = domains.find((each) => each.domain === domain.toLowerCase())
  if (!found)
    throw new Failure(
      'not_found',
      5,
      `${domain} is not one of your domains`,
      `Add it: countersign domains add ${shellWord(domain)}`,
    )
  return found
}
