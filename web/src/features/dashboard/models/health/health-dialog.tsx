import type { Model, ModelHealth } from '@countersign/sdk/contract'
import { useState } from 'react'
import { formatShortDay, modelsTab } from '#messages/dashboard/models.ts'
import { formatTime } from '#messages/site.ts'
import { useMay } from '../../../../data/role.ts'
import { Failed } from '../../../../failures/failed.tsx'
import { explainFailure } from '../../../../failures/failure.ts'
import { SelectField } from '../../../../forms/field.tsx'
import { Dialog } from '../../../../ui/controls/dialog.tsx'
import { Switch } from '../../../../ui/controls/switch.tsx'
import { toast } from '../../../../ui/controls/toast.ts'
import { FactRow, FactRows } from '../../../../ui/layout/facts.tsx'
import { SkeletonRows } from '../../../../ui/layout/skeleton.tsx'
import { InlineCode } from '../../../../ui/values/inline-code.tsx'
import { useRoleWords } from '../../shared/allowed.tsx'
import { nameOf } from '../names.ts'
import { statusOf } from '../own-model-groups.ts'
import { useModelHealth } from '../own-models.ts'
import { HealthState, healthStateOf } from './health-line.tsx'
import { daysOf } from './own-model-health.ts'
import { describeDay, Sparkline } from './sparkline.tsx'

const words = modelsTab.health
const intervals = [60, 300, 900, 3_600, 21_600, 86_400]

/** The settings and results of endpoint monitoring. */
export const HealthDialog = ({ model, onClose }: { model: Model; onClose: () => void }) => {
  const { health, failure, again, set } = useModelHealth(model.id, true)
  return (
    <Dialog isOpen onClose={onClose} title={words.title(nameOf(model))} description={words.text}>
      {health === undefined && failure === undefined && <SkeletonRows count={3} />}
      {health === undefined && failure !== undefined && (
        <Failed heading={words.loadFailed} failure={failure} again={() => void again()} />
      )}
      {health !== undefined && (
        <div className="grid gap-6">
          <Settings {...{ model, health, set }} />
          <Facts health={health} />
        </div>
      )}
    </Dialog>
  )
}

interface SettingsProps {
  model: Model
  health: ModelHealth
  set: ReturnType<typeof useModelHealth>['set']
}

/** Saves each change at once and shows it before the response. */
const Settings = ({ model, health, set }: SettingsProps) => {
  const [requested, setRequested] = useState<{ enabled: boolean; seconds: number }>()
  const roleWords = useRoleWords()
  const isAllowed = useMay()('models.setHealth')
  const [refusal, setRefusal] = useState('')
  const { enabled, seconds } = requested ?? { enabled: health.health_check_enabled, seconds: health.interval_seconds }
  // Not `disabled` while saving, because that would remove the focus.
  const change = async (next: { enabled: boolean; seconds: number }) => {
    if (requested !== undefined) return
    setRequested(next)
    setRefusal('')
    try {
      await set(next.enabled, next.seconds)
      toast.success(words.saved)
    } catch (failure) {
      setRefusal(`${words.failed}: ${explainFailure(failure)}`)
    }
    setRequested(undefined)
  }
  const choices = intervals.includes(seconds) ? intervals : [...intervals, seconds].toSorted((a, b) => a - b)
  return (
    <div className="grid gap-4">
      <Switch
        label={words.monitor}
        hint={isAllowed ? (statusOf(model) === 'active' ? '' : words.notWatched) : roleWords('models.setHealth')}
        disabled={!isAllowed}
        isOn={enabled}
        aria-disabled={requested !== undefined}
        onSwitch={(isOn) => void change({ enabled: isOn, seconds })}
      />
      <SelectField
        label={words.interval}
        hint={words.backOff}
        value={seconds}
        disabled={!enabled || !isAllowed}
        aria-disabled={requested !== undefined}
        onChange={({ target }) => void change({ enabled, seconds: Number(target.value) })}
        className="max-w-xs"
      >
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {words.intervalOf(choice)}
          </option>
        ))}
      </SelectField>
      <p role="alert" className="font-semibold text-bad text-small empty:hidden">
        {refusal}
      </p>
    </div>
  )
}

const Facts = ({ health }: { health: ModelHealth }) => (
  <FactRows>
    <FactRow name={words.state}>
      <HealthState state={healthStateOf(health)} />
    </FactRow>
    <FactRow name={words.lastCheck}>{health.last_check === null ? words.never : formatTime(health.last_check)}</FactRow>
    <FactRow name={words.uptimeName}>
      {health.uptime_7d === null ? words.noUptime : words.uptime(health.uptime_7d)}
    </FactRow>
    <FactRow name={words.endpoint}>
      <span className="break-all">
        <InlineCode>{health.endpoint}</InlineCode>
      </span>
    </FactRow>
    <FactRow name={words.days}>
      <Sparkline hours={health.hours} />
      <ul className="mt-2 grid gap-x-6 text-small sm:grid-cols-2">
        {daysOf(health.hours, Date.now()).map((day) => (
          <li key={day.day}>{words.day(formatShortDay(day.day), describeDay(day))}</li>
        ))}
      </ul>
    </FactRow>
  </FactRows>
)
