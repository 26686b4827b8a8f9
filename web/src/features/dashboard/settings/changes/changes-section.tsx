import type { StagedChange } from '@countersign/sdk/contract'
import { askedBy, stagedValues } from '@countersign/sdk/words'
import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { delayedWords, changesSection as words } from '#messages/dashboard/changes.ts'
import { formatTime } from '#messages/site.ts'
import { useMay } from '../../../../data/role.ts'
import { type Action, isAction } from '../../../../data/role-rules.ts'
import { explainFailure } from '../../../../failures/failure.ts'
import { ConfirmDialog } from '../../../../forms/confirm-dialog.tsx'
import { Button } from '../../../../ui/controls/button.tsx'
import { Dialog } from '../../../../ui/controls/dialog.tsx'
import { toast } from '../../../../ui/controls/toast.ts'
import { Section } from '../../../../ui/layout/section.tsx'
import { Allowed } from '../../shared/allowed.tsx'
import { ShownKey } from '../keys/shown-key.tsx'
import { SectionBody } from '../section-body.tsx'
import { useOwnChanges } from './own-changes.ts'

const keyIn = (result: unknown): string | null =>
  typeof result === 'object' && result !== null && 'api_key' in result && typeof result.api_key === 'string'
    ? result.api_key
    : null

const isWaiting = ({ state }: StagedChange) => state === 'open' || state === 'delayed'
/** Delayed like others, but another owner can also confirm it. */
const isRecovery = ({ endpoint }: StagedChange) => endpoint === 'factors.recover'
const titleOf = ({ state, endpoint, summary }: StagedChange) => (state === 'delayed' ? delayedWords(endpoint) : summary)

/** Calls of keys and jobs that wait for a person, and what takes effect later. */
export const ChangesSection = () => {
  const own = useOwnChanges()
  const linked = useSearchParams()[0].get('change')
  const [approving, setApproving] = useState<StagedChange | null>(null)
  const [made, setMade] = useState<string | null>(null)
  /** The change of the link that someone followed comes first. */
  const rankOf = ({ id }: StagedChange) => (id === linked ? 1 : 0)
  const approve = async (change: StagedChange) => {
    const { result } = await own.approve(change)
    const key = change.endpoint === 'keys.create' ? keyIn(result) : null
    setMade(key)
    if (key === null) toast.success(words.dialog.done)
  }
  const reject = async (change: StagedChange) => {
    try {
      await own.reject(change)
      toast.success(words.rejected)
    } catch (failure) {
      toast.error(words.notRejected, { description: explainFailure(failure) })
    }
  }
  const cancel = async (change: StagedChange) => {
    try {
      await own.cancel(change)
      toast.success(words.cancelled)
    } catch (failure) {
      toast.error(words.notCancelled, { description: explainFailure(failure) })
    }
  }
  return (
    <Section heading={words.label} className="mt-8">
      <p className="max-w-prose text-muted text-small">{words.about}</p>
      <div className="mt-5">
        <SectionBody data={own.changes} failure={own.failure} failed={words.failed} again={own.again}>
          {(changes) => (
            <>
              <Waiting
                changes={changes.filter(isWaiting).sort((one, other) => rankOf(other) - rankOf(one))}
                linked={linked}
                onApprove={setApproving}
                onReject={(change) => void reject(change)}
                onCancel={(change) => void cancel(change)}
              />
              <Decided changes={changes.filter((change) => !isWaiting(change))} />
            </>
          )}
        </SectionBody>
      </div>
      {approving && (
        <ConfirmDialog
          title={words.dialog.title}
          description={isRecovery(approving) ? words.dialog.recovery : words.dialog.description}
          action={words.dialog.action}
          doing={words.dialog.doing}
          act={() => approve(approving)}
          onClose={() => setApproving(null)}
        >
          <Details change={approving} />
        </ConfirmDialog>
      )}
      {made !== null && (
        <Dialog isOpen onClose={() => setMade(null)} title={words.key.title} description={words.key.text}>
          <ShownKey secret={made} isAsking={false} onCopied={() => undefined} onClose={() => setMade(null)} />
        </Dialog>
      )}
    </Section>
  )
}

interface WaitingProps {
  changes: readonly StagedChange[]
  linked: string | null
  onApprove: (change: StagedChange) => void
  onReject: (change: StagedChange) => void
  onCancel: (change: StagedChange) => void
}

const Waiting = ({ changes, linked, onApprove, onReject, onCancel }: WaitingProps) => {
  const may = useMay()
  /** What decides on a change takes; undefined if every role may. Owners confirm a recovery. */
  const actionOf = (change: StagedChange): Action | undefined => {
    if (isRecovery(change)) return 'changes.cancel'
    return isAction(change.endpoint) ? change.endpoint : undefined
  }
  if (changes.length === 0) return <p className="border-line border-y py-4 text-small">{words.none}</p>
  return (
    <ul aria-label={words.list} className="border-line border-b">
      {changes.map((change) => (
        <li
          key={change.id}
          {...(change.id === linked && { 'aria-current': true })}
          className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 border-line border-t py-4 text-small aria-[current]:bg-sunken aria-[current]:px-4"
        >
          <div className="grid min-w-0 max-w-prose gap-1">
            <Details change={change} />
            <p className="wrap-anywhere text-muted">
              {words.by(askedBy(change), formatTime(change.created_at))}.{' '}
              {change.takes_effect_at === null
                ? words.until(formatTime(change.expires_at))
                : words.effect(formatTime(change.takes_effect_at))}
              .
            </p>
          </div>
          <div className="flex flex-wrap gap-3">
            {(change.state === 'open' || isRecovery(change)) && may(actionOf(change)) && (
              <Button
                aria-haspopup="dialog"
                aria-label={words.approveOf(titleOf(change))}
                onClick={() => onApprove(change)}
              >
                {words.approve}
              </Button>
            )}
            {change.state === 'delayed' ? (
              <Allowed action="changes.cancel" isExplained>
                <Button aria-label={words.cancelOf(titleOf(change))} onClick={() => onCancel(change)}>
                  {words.cancel}
                </Button>
              </Allowed>
            ) : (
              <Allowed action={actionOf(change)} isExplained>
                <Button aria-label={words.rejectOf(titleOf(change))} onClick={() => onReject(change)}>
                  {words.reject}
                </Button>
              </Allowed>
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}

/** The whole call: what is approved is what is shown. */
const Details = ({ change }: { change: StagedChange }) => (
  <>
    <p className="font-semibold">{titleOf(change)}</p>
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 text-small">
      {stagedValues(change).map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="wrap-anywhere">
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  </>
)

const Decided = ({ changes }: { changes: readonly StagedChange[] }) => {
  if (changes.length === 0) return null
  return (
    <>
      <h3 className="mt-8 font-semibold">{words.decided.heading}</h3>
      <ul aria-label={words.decided.heading} className="mt-3 border-line border-b">
        {changes.map((change) => (
          <li key={change.id} className="grid gap-1 border-line border-t py-3 text-small">
            <p>{change.summary}</p>
            <p className="wrap-anywhere text-muted">{outcomeOf(change)}</p>
          </li>
        ))}
      </ul>
    </>
  )
}

const outcomeOf = ({ state, decided_by, decided_at, expires_at }: StagedChange) => {
  if (decided_at === null) return `${words.decided.states[state]}: ${formatTime(expires_at)}`
  return decided_by === null
    ? words.decided.back(formatTime(decided_at))
    : words.decided.by(words.decided.states[state], decided_by, formatTime(decided_at))
}
