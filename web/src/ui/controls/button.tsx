import { Children, type ComponentProps, cloneElement, type ReactElement } from 'react'
import { classes } from '../classes.ts'

const looks = {
  primary: 'border-ink bg-ink text-bg hover:opacity-85',
  plain: 'border-control bg-surface text-ink hover:bg-sunken',
  /** Destroys something: filled in the dialog that confirms it, outlined where it is only offered. */
  danger: 'border-bad bg-bad text-bg hover:opacity-85',
  dangerPlain: 'border-bad bg-surface text-bad hover:bg-bad-bg',
  text: 'border-transparent bg-transparent text-link underline-offset-4 hover:underline px-0!',
  icon: 'border-transparent bg-transparent text-ink hover:bg-sunken w-10 px-0!',
}

interface ButtonProps extends ComponentProps<'button'> {
  look?: keyof typeof looks
  /** Styles the only child, a link, as a button. */
  asChild?: boolean
}

export const Button = ({ look = 'plain', asChild = false, className, children, ...rest }: ButtonProps) => {
  const looksLike = classes(
    'inline-flex min-h-10 shrink-0 cursor-pointer items-center justify-center gap-2 rounded-control border px-4 py-2 font-semibold text-small motion-safe:transition-colors motion-safe:duration-120 aria-disabled:cursor-default aria-disabled:opacity-60',
    looks[look],
    className,
  )
  if (asChild) {
    const child = Children.only(children) as ReactElement<{ className?: string }>
    return cloneElement(child, { ...rest, className: classes(looksLike, child.props.className) })
  }
  return (
    <button type="button" className={looksLike} {...rest}>
      {children}
    </button>
  )
}
