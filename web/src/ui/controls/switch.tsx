import { type ComponentProps, useId } from 'react'

interface SwitchProps extends Omit<ComponentProps<'input'>, 'type' | 'role' | 'id' | 'className' | 'onChange'> {
  label: string
  /** What on or off means. */
  hint?: string
  /** The label is only for screen readers. */
  isLabelHidden?: boolean
  isOn: boolean
  onSwitch: (isOn: boolean) => void
}

/** A switch that applies at once. It is `disabled` while a change is pending or not allowed; the hint says why. */
export const Switch = ({ label, hint, isLabelHidden = false, isOn, onSwitch, ...input }: SwitchProps) => {
  const id = useId()
  return (
    <div className="flex items-start gap-3">
      <span className="relative inline-flex h-6 w-11 shrink-0">
        <input
          {...input}
          id={id}
          type="checkbox"
          role="switch"
          checked={isOn}
          aria-checked={isOn}
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => onSwitch(target.checked)}
          className="peer h-6 w-11 cursor-pointer appearance-none rounded-full border border-control bg-sunken checked:border-ink checked:bg-ink disabled:cursor-default disabled:opacity-60"
        />
        <span
          aria-hidden
          className="pointer-events-none absolute start-1 top-1 size-4 rounded-full bg-control peer-checked:translate-x-5 peer-checked:bg-bg motion-safe:transition-transform motion-safe:duration-120 rtl:peer-checked:-translate-x-5"
        />
      </span>
      <span className="min-w-0">
        <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'block font-semibold text-small leading-6'}>
          {label}
        </label>
        <span id={`${id}-hint`} className="block text-muted text-small empty:hidden">
          {hint}
        </span>
      </span>
    </div>
  )
}
