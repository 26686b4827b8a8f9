export const weekMs = 7 * 86_400_000

export interface Week {
  /** Links minted, and how many of them were opened; only the newest `maxLinks` are counted. */
  links: number
  opened: number
  incidents: number
  /** Incidents that wait for the provider, however old. */
  open: number
}

/** More links than this in one week are shown as "more than". */
export const maxLinks = 10_000

const many = (count: number, one: string, several: string) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : several}`

/** Numbers only. */
export const weekLines = ({ links, opened, incidents, open }: Week): string[] => [
  'In the last seven days:',
  `- ${links > maxLinks ? 'more than ' : ''}${many(Math.min(links, maxLinks), 'verification link was', 'verification links were')} made for your models${links > maxLinks ? `; of the newest ${maxLinks.toLocaleString('en')},` : ','} ${many(opened, 'was', 'were')} opened`,
  `- ${many(incidents, 'report', 'reports')} about your models arrived`,
  open === 0
    ? 'No report is waiting for your answer.'
    : `${many(open, 'report is waiting', 'reports are waiting')} for your answer.`,
]
