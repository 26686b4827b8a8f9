import { CircleCheck, CircleDashed, CircleX, Contrast, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { classes } from '../classes.ts'

const tones = {
  ok: { look: 'bg-ok-bg text-ok', Icon: CircleCheck },
  /** Half confirmed: the company, but not its server. */
  info: { look: 'bg-info-bg text-info', Icon: Contrast },
  warn: { look: 'bg-warn-bg text-warn', Icon: TriangleAlert },
  bad: { look: 'bg-bad-bg text-bad', Icon: CircleX },
  unk: { look: 'bg-unk-bg text-unk', Icon: CircleDashed },
}

export type Tone = keyof typeof tones

/** A status always has a word and an icon; the colour is only an addition. */
export const StatusChip = ({ tone, children }: { tone: Tone; children: ReactNode }) => {
  const { look, Icon } = tones[tone]
  return (
    <span
      className={classes(
        'inline-flex items-center gap-1.5 rounded-chip border border-transparent px-1.5 py-0.5 font-semibold text-micro whitespace-nowrap',
        look,
      )}
    >
      <Icon aria-hidden size={14} />
      {children}
    </span>
  )
}

const rules = { ok: 'border-ok', info: 'border-info', warn: 'border-warn', bad: 'border-bad', unk: 'border-control' }

/** The coloured rule above a verdict. */
export const VerdictRule = ({ tone }: { tone: Tone }) => (
  <div aria-hidden className={classes('border-t-4', rules[tone])} />
)
