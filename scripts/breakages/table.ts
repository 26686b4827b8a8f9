import type { Breakage } from './breakage.ts'
import type { TestName } from './tests.ts'

export type Outcome = { verdict: 'caught'; by: TestName } | { verdict: 'missed' } | { verdict: 'unclear'; note: string }

const start = '<!-- breakages: written by `npm run test:breakages` -->'
const end = '<!-- end of breakages -->'

const escaped = (text: string) => text.replaceAll('|', '\\|')

/** As code: a name is quoted as it is. */
const code = (text: string) => (text.includes('`') ? `\`\` ${escaped(text)} \`\`` : `\`${escaped(text)}\``)

const resultOf = (outcome: Outcome) =>
  outcome.verdict === 'caught' ? `${code(outcome.by.name)} in ${code(outcome.by.file)}` : `**${outcome.verdict}**`

/** Returns the page with a row for each breakage. Breakages that did not run keep their result. */
export const updateTable = (
  page: string,
  breakages: readonly Breakage[],
  outcomes: ReadonlyMap<string, Outcome>,
): string => {
  const from = page.indexOf(start) + start.length
  const to = page.indexOf(end)
  if (from < start.length || to < from) throw new Error(`docs/testing.md lacks the lines ${start} and ${end}.`)
  const known = new Map(
    page
      .slice(from, to)
      .split('\n')
      .map((line) => [line.split('|')[1]?.trim(), line]),
  )
  const rows = breakages.map(({ id, what }) => {
    const outcome = outcomes.get(id)
    const before = known.get(`\`${id}\``)?.split(' | ').at(-1)?.replace(/ \|$/, '')
    return `| \`${id}\` | ${escaped(what)} | ${outcome ? resultOf(outcome) : (before ?? 'not run yet')} |`
  })
  const table = ['| Breakage | What a user would notice | Caught by |', '| --- | --- | --- |', ...rows].join('\n')
  return `${page.slice(0, from)}\n\n${table}\n\n${page.slice(to)}`
}
