import type { KeyReview } from '@countersign/sdk/contract'
import { quote } from '@countersign/sdk/words'
import { useState } from 'react'
import { settingsTab } from '#messages/dashboard/settings.ts'
import { formatTime } from '#messages/site.ts'
import { explainFailure } from '../../../../failures/failure.ts'
import { ConfirmDialog } from '../../../../forms/confirm-dialog.tsx'
import { Button } from '../../../../ui/controls/button.tsx'
import { toast } from '../../../../ui/controls/toast.ts'
import { Allowed } from '../../shared/allowed.tsx'
import { useKeyReviews } from './own-keys.ts'

const words = settingsTab.keys.reviews

const nameOf = ({ kind, name, subject_id }: KeyReview) => {
  const whole = name ?? subject_id
  // A profile is named by its values before and after the change.
  return kind === 'profile' ? whole.split(' → ').map(quote).join(' → ') : quote(whole)
}

/** Changes by compromised keys that await the owner's decision; otherwise hidden. */
export const KeyReviews = () => {
  const { waiting, decide } = useKeyReviews()
  const [withdrawing, setWithdrawing] = useState<KeyReview | null>(null)
  if (waiting.length === 0) return null
  const confirm = async ({ id }: KeyReview) => {
    try {
      await decide(id, 'confirmed')
      toast.success(words.confirmed)
    } catch (failure) {
      toast.error(words.failed, { description: explainFailure(failure) })
    }
  }
  const withdraw = async ({ id }: KeyReview) => {
    await decide(id, 'withdrawn')
    toast.success(words.withdrawn)
  }
  return (
    <section aria-label={words.heading} className="mt-6 border-warn border-s-4 bg-warn-bg px-4 py-4">
      <h3 className="font-semibold">{words.heading}</h3>
      <p className="mt-1 max-w-prose text-small">{words.text}</p>
      <ul aria-label={words.heading} className="mt-4">
        {waiting.map((review) => (
          <li
            key={review.id}
            className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 border-line border-t py-3 text-small"
          >
            <div className="grid min-w-0 gap-1">
              <p className="font-semibold">{words.kinds[review.kind]}</p>
              <p className="wrap-anywhere">{nameOf(review)}</p>
              <p className="wrap-anywhere">{words.by(review.actor, formatTime(review.changed_at))}</p>
            </div>
            <Allowed action="keys.review" isExplained>
              <div className="flex flex-wrap gap-3">
                <Button aria-label={words.confirmOf(nameOf(review))} onClick={() => void confirm(review)}>
                  {words.confirm}
                </Button>
                <Button
                  aria-haspopup="dialog"
                  aria-label={words.withdrawOf(nameOf(review))}
                  onClick={() => setWithdrawing(review)}
                >
                  {words.withdraw}
                </Button>
              </div>
            </Allowed>
          </li>
        ))}
      </ul>
      {withdrawing && (
        <ConfirmDialog
          title={words.withdrawTitle(nameOf(withdrawing))}
          description={words.withdrawText}
          action={words.withdraw}
          doing={words.withdrawing}
          act={() => withdraw(withdrawing)}
          explain={(failure) => `${words.failed}: ${explainFailure(failure)}`}
          onClose={() => setWithdrawing(null)}
        />
      )}
    </section>
  )
}
