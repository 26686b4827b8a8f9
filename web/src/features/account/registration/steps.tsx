import { Check } from 'lucide-react'
import { account } from '#messages/pages/account.ts'
import { classes } from '../../../ui/classes.ts'

const words = account.register
const steps = ['details', 'auth', 'key'] as const
export type Step = (typeof steps)[number]

/** The progress of the registration. */
export const Steps = ({ current }: { current: Step }) => {
  const at = steps.indexOf(current)
  return (
    <ol aria-label={words.stepsLabel} className="mb-8 grid grid-cols-3 gap-2">
      {steps.map((step, index) => (
        <li
          key={step}
          aria-current={index === at ? 'step' : undefined}
          className={classes(
            'flex items-center gap-1.5 border-t-2 pt-2 text-small',
            index <= at ? 'border-ink font-semibold' : 'border-line text-muted',
          )}
        >
          {index < at ? <Check aria-hidden size={16} /> : <span aria-hidden>{index + 1}</span>}
          {words.steps[step]}
          {index < at && <span className="sr-only"> ({words.stepDone})</span>}
        </li>
      ))}
    </ol>
  )
}
