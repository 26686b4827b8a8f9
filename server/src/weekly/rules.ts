export const weekMs = 7 * 86_400_000

export interface Week {
  /** Links made, and those of them that somebody opened; of the newest `maxLinks` alone. */
  links: number
  opened: number
  incidents: number
  /** Incidents that wait for the provider, however old. */
  open: number
}

/** More links than this in one week are told as "more than". */
export const maxLinks = 10_000

const many = (count: number, one: string, several: string) => `${count.toLocaleString('en')} ${count === 1 ? one : several}`

/** Numbers only. */
export const weekLines = ({ links, opened, incidents, open }: Week): string[] => [
  'In the last seven days:',
  `- ${links > maxLinks ? 'more than ' : ''}${many(Math.min(links, maxLinks), 'verification link was', 'verification links were')} made for your models${links > maxLinks ? '; of the newest of them' : ','} ${opened.toLocaleString('en')} opened by somebody`,
  `- ${many(incidents, 'report', 'reports')} about your models came in`,
  open === 0 ? 'No report waits for your answer.' : `${many(open, 'report waits', 'reports wait')} for your answer.`,
]
