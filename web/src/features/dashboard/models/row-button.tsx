import type { ComponentProps } from 'react'
import { modelsTab } from '#messages/dashboard/models.ts'
import { classes } from '../../../ui/classes.ts'
import { Button } from '../../../ui/controls/button.tsx'

interface RowButtonProps extends ComponentProps<'button'> {
  label: string
  /** Names the row, for screen readers. */
  of: string
}

/** A button of one row among many. */
export const RowButton = ({ label, of, className, ...rest }: RowButtonProps) => (
  <Button {...rest} aria-label={modelsTab.card.of(label, of)} className={classes('min-h-8! px-3! py-1!', className)}>
    {label}
  </Button>
)
