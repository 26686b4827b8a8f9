import type { Provider } from '@countersign/sdk/contract'
import { CircleCheck, CircleDashed } from 'lucide-react'
import { Link } from 'react-router-dom'
import { overviewTab } from '#messages/dashboard/overview.ts'
import { useMay } from '../../../data/role.ts'
import type { Action } from '../../../data/role-rules.ts'
import { Section } from '../../../ui/layout/section.tsx'
import { useRoleWords } from '../shared/allowed.tsx'
import { type Gap, gapOf, isUsed, type Step, type StepName, stepsOf } from '../shared/identity/standing.ts'
import { addressOf } from '../shared/tab-names.ts'

const words = overviewTab.steps

interface NextStepsProps {
  provider: Provider
  /** The number of active models; undefined while loading. */
  models: number | undefined
  /** Handlers for the steps done on this page. */
  onStep: { email: () => void; domain: () => void; profile: () => void }
}

/** What to do next and the points it adds. Hidden when everything is done. */
export const NextSteps = ({ provider, models, onStep }: NextStepsProps) => {
  const steps = stepsOf(provider.trust_breakdown, models ?? 1)
  const done = steps.filter(({ isDone }) => isDone)
  if (done.length === steps.length) return null
  return (
    <Section heading={words.heading} className="">
      <p className="text-small">{gapWords(gapOf({ ...provider, is_used: isUsed(provider.trust_breakdown) }))}</p>
      <ul className="mt-3 border-line border-t">
        {steps
          .filter(({ isDone }) => !isDone)
          .map((step) => (
            <StepRow key={step.name} step={step} onStep={onStep} />
          ))}
      </ul>
      {done.length > 0 && (
        <details className="mt-3 text-small">
          <summary className="cursor-pointer text-muted">{words.doneCount(done.length, steps.length)}</summary>
          <ul className="mt-2">
            {done.map(({ name }) => (
              <li key={name} className="flex items-center gap-3 py-1 text-muted">
                <CircleCheck aria-hidden size={18} className="shrink-0" />
                {words[name].name}
              </li>
            ))}
          </ul>
        </details>
      )}
    </Section>
  )
}

export const gapWords = (gap: Gap): string => {
  if (gap.kind === 'none') return words.highest
  if (gap.kind === 'points') {
    const points = words.toNext(gap.missing, gap.level)
    return gap.needs === undefined
      ? `${points}.`
      : points + { email: words.andEmail, domain: words.andDomain, use: words.andUse }[gap.needs]
  }
  return { email: words.withheldEmail, domain: words.withheldDomain, use: words.withheldUse }[gap.needs](gap.level)
}

const places: Partial<Record<StepName, string>> = {
  model: '/dashboard/models/register',
  sign: addressOf('models'),
  links: addressOf('verifications'),
}

const actions: Record<StepName, Action> = {
  email: 'auth.sendVerification',
  domain: 'providers.verifyDomain',
  profile: 'providers.update',
  model: 'models.register',
  sign: 'bundles.upload',
  links: 'verifications.create',
}

const StepRow = ({ step: { name, worth }, onStep }: { step: Step; onStep: NextStepsProps['onStep'] }) => {
  const { name: title, text } = words[name]
  const roleWords = useRoleWords()
  const isAllowed = useMay()(actions[name])
  const place = places[name]
  const act = name === 'email' || name === 'domain' || name === 'profile' ? onStep[name] : undefined
  return (
    <li className="flex items-start gap-3 border-line border-b py-2.5 text-small">
      <CircleDashed aria-hidden size={18} className="mt-px shrink-0 text-muted" />
      <div className="min-w-0 grow">
        {!isAllowed ? (
          <span className="font-semibold">{title}</span>
        ) : act ? (
          <button type="button" className="link cursor-pointer text-start font-semibold" onClick={act}>
            {title}
          </button>
        ) : (
          <Link to={place ?? ''} className="link font-semibold">
            {title}
          </Link>
        )}
        <p className="text-muted">{isAllowed ? text : roleWords(actions[name])}</p>
      </div>
      {worth > 0 && <span className="shrink-0 text-muted">{words.worth(worth)}</span>}
    </li>
  )
}
