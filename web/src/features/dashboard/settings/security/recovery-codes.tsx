import { useState } from 'react'
import { securitySection } from '#messages/dashboard/security.ts'
import { explainFailure } from '../../../../failures/failure.ts'
import { UnsavedDialog } from '../../../../forms/unsaved-dialog.tsx'
import { Button } from '../../../../ui/controls/button.tsx'
import { CopyButton } from '../../../../ui/controls/copy-button.tsx'
import { toast } from '../../../../ui/controls/toast.ts'

const words = securitySection.codes
const places = ['tab', 'section']

interface RecoveryCodesProps {
  left: number
  /** Codes that were just made; they are not stored. */
  codes: readonly string[] | null
  show: (codes: readonly string[] | null) => void
  renew: () => Promise<readonly string[]>
}

/** The number of codes left, and new codes while they are shown. Asks before they are lost. */
export const RecoveryCodes = ({ left, codes, show, renew }: RecoveryCodesProps) => {
  const [isRenewing, setIsRenewing] = useState(false)
  const [isCopied, setIsCopied] = useState(false)
  const make = async () => {
    if (isRenewing) return
    setIsRenewing(true)
    setIsCopied(false)
    try {
      show(await renew())
    } catch (failure) {
      toast.error(words.failed, { description: explainFailure(failure) })
    }
    setIsRenewing(false)
  }
  return (
    <div className="mt-8 text-small">
      <h3 className="font-semibold">{words.heading}</h3>
      {codes === null ? (
        <>
          <p className="mt-1 max-w-prose text-muted">
            {words.about} {words.left(left)}.
          </p>
          <Button className="mt-3" aria-disabled={isRenewing} onClick={() => void make()}>
            {isRenewing ? words.renewing : words.renew}
          </Button>
        </>
      ) : (
        <>
          <p role="status" className="mt-1 max-w-prose font-semibold">
            {words.shown}
          </p>
          <ul aria-label={words.heading} className="mt-3 grid max-w-md grid-cols-2 gap-x-6 gap-y-1 font-mono">
            {codes.map((code) => (
              <li key={code}>{code}</li>
            ))}
          </ul>
          <div className="mt-3 flex flex-wrap gap-3">
            <CopyButton
              text={codes.join('\n')}
              what={words.all}
              label={words.copy}
              onCopied={() => setIsCopied(true)}
            />
            <Button onClick={() => show(null)}>{words.saved}</Button>
          </div>
          <UnsavedDialog isUnsaved={!isCopied} places={places} words={words.unsaved} />
        </>
      )}
    </div>
  )
}
