import type { Model } from '@countersign/sdk/contract'
import { useRef } from 'react'
import { modelsTab } from '#messages/dashboard/models.ts'
import { classes } from '../../../../ui/classes.ts'
import type { Tone } from '../../../../ui/values/status-chip.tsx'
import { useModelHealth } from '../own-models.ts'
import { Sparkline, SparklineSpace } from './sparkline.tsx'
import { useSeen } from './use-seen.ts'

const words = modelsTab.health

type HealthState = keyof typeof words.states

const dots: Record<HealthState, string> = {
  healthy: 'bg-ok',
  unhealthy: 'bg-bad',
  unknown: 'bg-control',
  off: 'bg-control',
}

/** For a list's row. */
export const healthTones = { healthy: 'ok', unhealthy: 'bad', unknown: 'unk', off: 'unk' } as const satisfies Record<
  HealthState,
  Tone
>

export const healthStateOf = ({
  health_check_enabled,
  health_status,
}: Pick<Model, 'health_check_enabled' | 'health_status'>): HealthState => (health_check_enabled ? health_status : 'off')

export const HealthState = ({ state }: { state: HealthState }) => (
  <span className="inline-flex items-center gap-1.5">
    <span aria-hidden className={classes('size-2.5 shrink-0 rounded-full', dots[state])} />
    {words.states[state]}
  </span>
)

/** Whether the endpoint responds, and its uptime over seven days. */
export const HealthLine = ({ model }: { model: Model }) => {
  const place = useRef<HTMLDivElement>(null)
  const isSeen = useSeen(place)
  const { health } = useModelHealth(model.id, isSeen && model.health_check_enabled)
  return (
    <div ref={place} className="flex flex-wrap items-center gap-x-3 gap-y-1 text-small">
      <HealthState state={healthStateOf(model)} />
      {model.health_check_enabled && model.uptime_7d !== null && (
        <span className="text-muted">{words.uptime(model.uptime_7d)}</span>
      )}
      {model.health_check_enabled && (health === undefined ? <SparklineSpace /> : <Sparkline hours={health.hours} />)}
    </div>
  )
}
