import type { Check } from '@countersign/sdk/contract'
import { registryHost } from '../../data/registry.ts'
import { formatTime, messages } from '../../messages/en.ts'
import { Section } from '../../ui/section.tsx'
import { StatusChip } from '../../ui/status-chip.tsx'

const words = messages.link.checks

/** Every check, passed or not: what, what we saw, who looked and when. */
export const CheckList = ({ checks }: { checks: Check[] }) => (
  <Section heading={words.heading}>
    <ul className="border-line border-t">
      {checks.map((check) => (
        <li key={check.check} className="grid gap-x-4 gap-y-1 border-line border-b py-3 sm:grid-cols-[7.5rem_1fr]">
          <div>
            <Outcome passed={check.passed} />
          </div>
          <div>
            <h3 className="font-semibold">{words.names[check.check]}</h3>
            {check.detail !== '' && <p className="text-muted text-small">{check.detail}</p>}
            <p className="mt-0.5 text-micro text-muted">
              {check.passed === null || check.checked_at === null ? words.notBy : words.by(registryHost, formatTime(check.checked_at))}
            </p>
          </div>
        </li>
      ))}
    </ul>
  </Section>
)

const Outcome = ({ passed }: { passed: boolean | null }) => {
  if (passed === null) return <StatusChip tone="unk">{words.notChecked}</StatusChip>
  return passed ? <StatusChip tone="ok">{words.passed}</StatusChip> : <StatusChip tone="bad">{words.failed}</StatusChip>
}
