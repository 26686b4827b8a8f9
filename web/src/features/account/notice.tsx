import type { ReactNode } from 'react'
import { classes } from '../../ui/classes.ts'

const tones = { bad: 'border-bad', warn: 'border-warn', plain: 'border-control' }

interface NoticeProps {
  tone?: keyof typeof tones
  /** Announced to screen readers immediately. */
  isUrgent?: boolean
  heading?: string
  className?: string
  children?: ReactNode
}

/** A short message beside a form. */
export const Notice = ({ tone = 'plain', isUrgent = false, heading, className, children }: NoticeProps) => (
  <div
    role={isUrgent ? 'alert' : undefined}
    className={classes('border-s-4 py-1 ps-4 text-small', tones[tone], className)}
  >
    {heading !== undefined && <p className="font-semibold text-body">{heading}</p>}
    {children && <div className={tone === 'bad' ? undefined : 'text-muted'}>{children}</div>}
  </div>
)
