import { modelForm } from '#messages/dashboard/model-form.ts'
import type { DraftField, Problems } from './rules.ts'

const labels: Partial<Record<string, string>> = modelForm.labels
/** With fewer, the fields themselves are easy to find. */
const fromCount = 6

/** Lists many errors in one place, with links to their fields. */
export const ProblemSummary = ({
  problems,
  onChoose,
}: {
  problems: Problems
  onChoose: (name: DraftField) => void
}) => {
  const all = Object.entries(problems) as [DraftField, string][]
  if (all.length < fromCount) return null
  return (
    <div role="alert" className="border-bad border-s-4 py-2 ps-4 text-small">
      <p className="font-semibold">{modelForm.problems(all.length)}</p>
      <ul className="mt-2 grid gap-1">
        {all.map(([name, message]) => (
          <li key={name}>
            <button type="button" className="link text-start" onClick={() => onChoose(name)}>
              {modelForm.problem(labels[name] ?? name, message)}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
