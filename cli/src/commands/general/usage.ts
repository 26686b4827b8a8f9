import { limits, type Usage } from '@countersign/sdk/contract'
import { type Declare, example } from '../../args/command.ts'
import type { Paint } from '../../render/output.ts'
import { shownTime } from '../../render/shown-time.ts'

export const declare: Declare = (usage) => {
  usage
    .description('Shows how many links you have minted today, when the count resets, and what you have stored.')
    .action(async ({ connect, out }) => {
      const found = await (await connect()).account.usage()
      out.print({ value: found, ids: [], text: (paint) => describeUsage(found, paint) })
    })
  example(usage, 'usage', 'usage --json')
}

const cells = 24
const barOf = (share: number) => {
  const filled = Math.min(cells, Math.round(share * cells))
  return `${'█'.repeat(filled)}${'░'.repeat(cells - filled)}`
}

const grouped = (count: number) => count.toLocaleString('en-US')
const row = (label: string, text: string) => `${label.padEnd(16)}${text}`

const storedNames = {
  api_keys: 'API keys',
  domains: 'Domains',
  publishers: 'Publishers',
  models: 'Model versions',
  models_today: 'Versions today',
  deployments: 'Deployments',
} as const satisfies Record<keyof Usage['stored'], string>

const countOf = (links: number) => `${grouped(links)} ${links === 1 ? 'link' : 'links'}`

const describeLinks = ({ today, limit, share, resets_at, limit_with_domain, days }: Usage['links'], paint: Paint) => {
  const color = share >= 1 ? paint.red : share >= limits.quotaWarningShare ? paint.yellow : paint.green
  const more =
    limit_with_domain !== null && limit_with_domain > limit
      ? [
          row('', `With a proven domain: ${grouped(limit_with_domain)} a day`),
          row('', paint.dim('countersign providers verify-domain')),
        ]
      : []
  return [
    row('Links today', `${color(barOf(share))} ${grouped(today)} of ${grouped(limit)} (${Math.floor(share * 100)}%)`),
    row('', `The count resets on ${shownTime(resets_at)}`),
    ...more,
    row('Last 30 days', countOf(days.reduce((sum, { links }) => sum + links, 0))),
  ]
}

const describeUsage = ({ links, stored }: Usage, paint: Paint) =>
  [
    ...describeLinks(links, paint),
    '',
    ...(Object.keys(storedNames) as (keyof typeof storedNames)[]).map((name) => {
      const { count, limit } = stored[name]
      return row(storedNames[name], `${grouped(count)}${limit === null ? '' : ` of ${grouped(limit)}`}`)
    }),
  ].join('\n')
