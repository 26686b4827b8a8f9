import type { VerificationResult } from '@countersign/sdk/contract'
import { stepText } from '@countersign/sdk/words'
import { link } from '#messages/pages/link.ts'
import type { Verdict } from './answer/verdict.ts'
import { Shape } from './shape.tsx'

const words = link.steps

/** Company, server and model file: each proven, stated or missing. */
export const StrengthSteps = ({ verdict, record }: { verdict: Verdict; record: VerificationResult }) => (
  <ol className="outcome-steps" aria-label={words.label}>
    {(['provider', 'server', 'model_file'] as const).map((name) => {
      const step = verdict.steps[name]
      return (
        <li key={name} className="outcome-step" data-step={name} data-step-state={step.state}>
          <Shape name={step.state} label={words.states[step.state]} />
          <strong>{words.names[name]}</strong>
          <span>{stepText(step, record, verdict.domain !== null)}</span>
        </li>
      )
    })}
  </ol>
)
