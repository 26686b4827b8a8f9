import { formatNumber, locale } from '#messages/site.ts'

const bytes = (count: number) =>
  count >= 1_048_576 && count % 1_048_576 === 0
    ? `${formatNumber(count / 1_048_576)} MiB`
    : `${formatNumber(count)} bytes`

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
  url: 'URL (http or https)',
}
const plurals: Readonly<Record<string, string>> = {
  string: 'texts',
  integer: 'whole numbers',
  number: 'numbers',
  object: 'objects',
  url: 'URLs',
  time: 'times',
}

/** The documentation page’s own words. Its sections are in the files beside this one. */
export const page = {
  title: 'API documentation',
  heading: 'Documentation',
  intro: 'From registration to your first verification link in five minutes.',
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
    answer: (status: number) => `Response, status ${status}`,
    refusals: 'Errors',
    noRequest: 'No parameters.',
    upload: 'One file as `multipart/form-data`, in the field `file`.',
    emptyAnswer: 'An empty object.',
    callers: {
      public: 'Anyone; no API key needed.',
      optional: 'Anyone; the response depends on the API key.',
      provider: 'Needs an API key.',
    },
    scope: (scope: string) => `A restricted key needs the scope \`${scope}\`.`,
    idempotent: 'Accepts `Idempotency-Key`: requests repeated with the same key within 24 hours are performed once.',
    maxBody: (count: number) => `At most ${bytes(count)}.`,
    limit: (points: number, seconds: number, of: string) =>
      `${formatNumber(points)} requests ${windows[seconds] ?? `every ${formatNumber(seconds)} seconds`} for each ${of}.`,
  },

  field: {
    places: { path: 'in the path', query: 'in the query', header: 'header' },
    types: (names: readonly string[], isList: boolean) =>
      isList
        ? `list of ${list.format(names.map((name) => plurals[name] ?? `${name}… IDs`))}`
        : list.format(names.map((name) => types[name] ?? `ID (${name}…)`)),
    required: 'required',
    neededSomehow: 'required unless an alternative field is given',
    nullable: 'may be null',
    mayBeEmpty: 'empty removes it',
    values: (values: readonly unknown[]) => `One of ${values.map((value) => `\`${value}\``).join(', ')}`,
    default: (value: unknown) => `\`${value === '' ? '""' : value}\` if not given`,
    pattern: (pattern: string) => `Matches \`${pattern}\``,
    range: (kind: 'text' | 'number' | 'list', min?: number, max?: number) => {
      const unit = { text: ' characters', number: '', list: ' entries' }[kind]
      if (min !== undefined && max !== undefined)
        return min === max
          ? `Exactly ${formatNumber(max)}${unit}`
          : `${formatNumber(min)} to ${formatNumber(max)}${unit}`
      return max === undefined ? `At least ${formatNumber(min ?? 0)}${unit}` : `At most ${formatNumber(max)}${unit}`
    },
  },

  tables: {
    code: 'Code',
    status: 'Status',
    meaning: 'Meaning',
    exit: 'Exit code',
    again: 'Retry',
    yes: 'yes',
    component: 'Component',
    points: 'Points',
    how: 'How it is earned',
    claimed: 'stated by the provider, not checked',
    checked: 'checked by the registry',
    level: 'Level',
    score: 'Score',
    needs: 'Also requires',
  },

  support: {
    heading: 'Need help?',
    text: 'Write to the operator of this registry. Say which request went wrong and include its `request_id`. It is in every error response and is not secret.',
    email: (address: string) => `Write to ${address}`,
    contact: 'Contact Support',
    examples: 'Runnable examples',
    repository: 'Source code and examples',
    issues: 'Known issues',
    openapi: 'OpenAPI document of this registry',
  },
} as const
