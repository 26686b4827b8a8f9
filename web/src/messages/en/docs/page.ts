import { formatNumber, locale } from '#messages/site.ts'

const bytes = (count: number) =>
  count >= 1_048_576 && count % 1_048_576 === 0 ? `${formatNumber(count / 1_048_576)} MiB` : `${formatNumber(count)} bytes`

const list = new Intl.ListFormat(locale, { type: 'disjunction' })
const windows: Readonly<Record<number, string>> = { 60: 'a minute', 3600: 'an hour', 86400: 'a day' }

const types: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
  any: 'anything',
  time: 'time (ISO 8601, UTC)',
  url: 'address (http or https)',
}
const plurals: Readonly<Record<string, string>> = {
  string: 'texts',
  integer: 'whole numbers',
  number: 'numbers',
  object: 'objects',
  url: 'addresses',
  time: 'times',
}

/** Words of the documentation page itself; what it teaches is in the files beside this one. */
export const page = {
  title: 'API documentation',
  heading: 'Documentation',
  intro: 'From nothing to a link that proves which model is talking, in five minutes.',
  back: 'Back to Home',

  sidebar: {
    label: 'Documentation',
    contents: 'Contents',
    collapse: 'Hide the contents (Ctrl+B)',
    expand: 'Show the contents (Ctrl+B)',
    close: 'Close',
    onThisPage: 'On this page',
    groups: { start: 'Getting Started', api: 'API Endpoints', advanced: 'Advanced' },
  },

  sample: {
    languages: 'Language of the sample',
    curl: 'curl',
    cli: 'CLI',
    ts: 'TypeScript',
    html: 'HTML',
    copyOf: (caption: string) => `the sample “${caption}”`,
  },

  linkToSection: (name: string) => `Link to ${name}`,

  endpoint: {
    request: 'Request',
    answer: (status: number) => `Answer, status ${status}`,
    refusals: 'Refusals',
    noRequest: 'Nothing is sent along.',
    upload: 'One file as `multipart/form-data`, in the field `file`.',
    emptyAnswer: 'An empty object.',
    callers: {
      public: 'Anyone; no key is needed.',
      optional: 'Anyone; a valid key changes the answer.',
      provider: 'Needs an API key.',
    },
    scope: (scope: string) => `A restricted key needs the scope \`${scope}\`.`,
    idempotent: 'Takes `Idempotency-Key`: repeated under the same key within 24 hours it is done once.',
    maxBody: (count: number) => `At most ${bytes(count)}.`,
    limit: (points: number, seconds: number, of: string) =>
      `${formatNumber(points)} requests ${windows[seconds] ?? `every ${formatNumber(seconds)} seconds`} for each ${of}.`,
  },

  field: {
    places: { path: 'in the path', query: 'in the query', header: 'header' },
    types: (names: readonly string[], isList: boolean) =>
      isList
        ? `list of ${list.format(names.map((name) => plurals[name] ?? `${name}… ids`))}`
        : list.format(names.map((name) => types[name] ?? `id (${name}…)`)),
    required: 'required',
    neededSomehow: 'required, unless a field that stands for it is given',
    nullable: 'may be null',
    mayBeEmpty: 'empty takes it away',
    values: (values: readonly unknown[]) => `One of ${values.map((value) => `\`${value}\``).join(', ')}`,
    default: (value: unknown) => `\`${value === '' ? '""' : value}\` if not given`,
    pattern: (pattern: string) => `Matches \`${pattern}\``,
    range: (kind: 'text' | 'number' | 'list', min?: number, max?: number) => {
      const unit = { text: ' characters', number: '', list: ' entries' }[kind]
      if (min !== undefined && max !== undefined)
        return min === max ? `Exactly ${formatNumber(max)}${unit}` : `${formatNumber(min)} to ${formatNumber(max)}${unit}`
      return max === undefined ? `At least ${formatNumber(min ?? 0)}${unit}` : `At most ${formatNumber(max)}${unit}`
    },
  },

  tables: {
    code: 'Code',
    status: 'Status',
    meaning: 'Meaning',
    exit: 'Exit code',
    again: 'Try again',
    yes: 'yes',
    component: 'Component',
    points: 'Points',
    how: 'How it is earned',
    claimed: 'stated by the provider, not checked',
    checked: 'checked by the registry',
    level: 'Level',
    score: 'Score',
    needs: 'Needs besides',
  },

  support: {
    heading: 'Need help?',
    text: 'Write to the people who run this registry. Say which request went wrong and give its `request_id`: it is in every refusal, and never secret.',
    email: (address: string) => `Write to ${address}`,
    contact: 'Contact Support',
    examples: 'Examples that run',
    openapi: 'OpenAPI document of this registry',
  },
} as const
