import { classes } from '../classes.ts'
import type { Tone } from './status-chip.tsx'

const dots: Record<Tone, string> = {
  ok: 'text-ok before:bg-ok',
  info: 'text-info before:bg-info',
  warn: 'text-warn before:bg-warn',
  bad: 'text-bad before:bg-bad',
  unk: 'text-muted before:bg-control',
}

/** A status in a dense row: its word, marked by a coloured dot. */
export const StatusDot = ({ tone, children, title }: { tone: Tone; children: string; title?: string }) => (
  <span
    title={title ?? children}
    className={classes(
      'block truncate before:me-2 before:inline-block before:size-2 before:rounded-full before:align-[1px]',
      dots[tone],
    )}
  >
    {children}
  </span>
)
