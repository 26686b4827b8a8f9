import { formatNumber } from '#messages/site.ts'

/** The Log tab: what the public transparency log says about this provider. */
export const logTab = {
  heading: 'Public log',
  about: 'What the registry has stated about you, for everyone to check. It can’t change or remove an entry unnoticed.',
  loading: 'Loading your entries…',
  failed: 'Your entries could not be loaded',
  found: (count: number, hasMore: boolean) =>
    hasMore
      ? `The newest ${formatNumber(count)} entries`
      : count === 1
        ? 'One entry'
        : `${formatNumber(count)} entries`,
  list: 'Entries of the public log',
  columns: { what: 'What the log says', index: 'Entry', time: 'When (UTC)' },
  empty: { heading: 'No entries', hint: 'The log says nothing about you.' },
  firstStep: {
    heading: 'The log says nothing about you yet',
    text: 'The first entry follows your first proven domain. From then on, the log has an entry for every fact behind your links.',
  },
  states: {
    logged: 'In the log',
    logged_privately: 'Private: only you can read it',
    being_logged: 'Being logged',
    not_logged: 'Not logged yet',
  },
  entry: (index: number) => `Entry ${formatNumber(index)}`,
  open: 'Details',
  proof: 'Open the proof',
  feed: 'Public entries as a feed (Atom)',
  dispute: {
    open: 'This was not me',
    reported: 'Reported as “not me”',
    title: 'Report this entry?',
    about:
      'The registry’s operator gets an urgent report about this entry, and every owner gets an email. The entry stays in the log.',
    action: 'Report',
    doing: 'Reporting…',
    done: (report: string) => `Reported. The operator sees ${report} first. Now revoke the keys that you don’t know.`,
  },
  near: {
    heading: 'Names near yours',
    none: 'No name that was compared is near yours. New ones appear here, and every owner gets an email.',
    older: 'The newest names near yours were given up. “Show more” lists older ones.',
    earlier:
      'Private models and accounts without a proven domain are not compared. Names that were given up, or logged before yours, are only listed by this command:',
    command: 'countersign log monitor --domain DOMAIN --name NAME',
    what: 'People could mistake these for your company. If one pretends to be you, open the company and report its models. Your own account is unchanged.',
    failed: 'Names near yours could not be loaded',
    erased: 'A name that was erased',
    fields: {
      domain: 'A domain',
      company_name: 'A company’s name',
      identifier: 'A model’s identifier',
      display_name: 'A model’s name',
    },
    reasons: {
      same: 'is the same as, or below,',
      other_ending: 'has a different ending from',
      lookalike: 'looks like',
      typo: 'is one or two letters away from',
      added_words: 'contains',
    },
    why: (field: string, reason: string, yours: string) => `${field} that ${reason} ${yours}`,
    since: (time: string) => `Since ${time}`,
    company: 'See the company',
  },
  details: {
    title: 'Entry of the public log',
    state: 'State',
    type: 'Type',
    subject: 'About',
    index: 'Entry',
    leaf: 'Leaf hash',
    report: 'Reported as “not me”',
    names: {
      company_name: 'Company name',
      identifier: 'Identifier',
      version: 'Version',
      display_name: 'Name',
      identity: 'Signer',
    } as Readonly<Record<string, string>>,
    check: 'Save the proof, then check it without trusting this page:',
    command: 'the command',
  },
} as const
