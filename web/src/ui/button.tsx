import { Slot } from 'radix-ui'
import type { ComponentProps } from 'react'
import { classes } from './classes.ts'

const looks = {
  primary: 'border-ink bg-ink text-bg hover:opacity-85',
  plain: 'border-control bg-surface text-ink hover:bg-sunken',
  icon: 'border-transparent bg-transparent text-ink hover:bg-sunken w-10 px-0!',
}

interface ButtonProps extends ComponentProps<'button'> {
  look?: keyof typeof looks
  /** The only child, a link, takes the button's looks. */
  asChild?: boolean
}

export const Button = ({ look = 'plain', asChild = false, className, ...rest }: ButtonProps) => {
  const Element = asChild ? Slot.Root : 'button'
  return (
    <Element
      type={asChild ? undefined : 'button'}
      className={classes(
        'inline-flex min-h-10 shrink-0 cursor-pointer items-center justify-center gap-2 rounded-control border px-4 py-2 font-semibold text-small motion-safe:transition-colors motion-safe:duration-120 aria-disabled:cursor-default aria-disabled:opacity-60',
        looks[look],
        className,
      )}
      {...rest}
    />
  )
}
