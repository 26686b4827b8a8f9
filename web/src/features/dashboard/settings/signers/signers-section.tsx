import type { SignerRecord } from '@countersign/sdk/contract'
import { lazy, Suspense, useState } from 'react'
import { settingsTab } from '#messages/dashboard/settings.ts'
import { formatDay } from '#messages/site.ts'
import { useAddressDialog } from '../../../../hooks/use-address-dialog.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import { InlineCode } from '../../../../ui/values/inline-code.tsx'
import { Allowed } from '../../shared/allowed.tsx'
import { OwnListSection } from '../../shared/own-list-section.tsx'
import { useOwnSigners } from './own-signers.ts'

const words = settingsTab.signers
const command =
  'countersign signers add --repository https://github.com/acme/models --workflow .github/workflows/release.yml'

const loadForm = () => import('./signer-dialog.tsx')
const preload = () => void loadForm().catch(() => undefined)
const ProveDialog = lazy(() => import('./prove-dialog.tsx').then((dialog) => ({ default: dialog.ProveDialog })))
const SignerDialog = lazy(() => loadForm().then((form) => ({ default: form.SignerDialog })))

/** The declared signers. `declare` in the address is `new`, or the model whose bundle names the signer. */
export const SignersSection = () => {
  const own = useOwnSigners()
  const declaring = useAddressDialog('declare')
  const [proving, setProving] = useState<SignerRecord | null>(null)
  return (
    <OwnListSection
      heading={settingsTab.sections.signers}
      words={{ ...words, add: words.declare }}
      command={command}
      own={{ data: own.signers, failure: own.failure, again: own.again }}
      itemsOf={(signers) => signers}
      row={(signer, _, onWithdraw) => (
        <SignerRow key={signer.id} record={signer} onProve={() => setProving(signer)} onWithdraw={onWithdraw} />
      )}
      actions={{ add: 'signers.declare', remove: 'signers.withdraw' }}
      add={() => declaring.open('new')}
      preload={preload}
      removal={{ words: words.withdraw, lineOf, act: own.withdraw }}
    >
      {declaring.value !== null && (
        <Suspense>
          <SignerDialog
            modelId={declaring.value === 'new' ? null : declaring.value}
            declare={own.declare}
            onClose={declaring.close}
          />
        </Suspense>
      )}
      {proving && (
        <Suspense>
          <ProveDialog record={proving} challenge={own.challenge} prove={own.prove} onClose={() => setProving(null)} />
        </Suspense>
      )}
    </OwnListSection>
  )
}

/** The signer in one line. */
const lineOf = ({ signer, key_fingerprint }: SignerRecord): string => {
  const { lines } = words
  if (signer.kind === 'identity') return lines.identity(signer.identity, signer.issuer)
  if (signer.kind === 'key') return lines.key(key_fingerprint ?? '')
  if (signer.kind === 'certificate') return lines.certificate
  return signer.workflow === undefined
    ? lines.repository(signer.repository, signer.issuer)
    : lines.workflow(signer.workflow, signer.repository, signer.issuer)
}

const SignerRow = ({
  record,
  onProve,
  onWithdraw,
}: {
  record: SignerRecord
  onProve: () => void
  onWithdraw: (() => void) | undefined
}) => (
  <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 border-line border-t py-4 text-small">
    <div className="grid min-w-0 gap-1.5">
      <p className="font-semibold">{words.kinds[record.signer.kind]}</p>
      <p className="wrap-anywhere">{lineOf(record)}</p>
      <p>{record.tied ? words.tied : `${words.untied}. ${words.howToTie[record.tie]}`}</p>
      <p className="flex flex-wrap gap-x-4 text-muted">
        <span>
          {record.api_model_identifier === null ? (
            words.allModels
          ) : (
            <InlineCode>{record.api_model_identifier}</InlineCode>
          )}
        </span>
        <span>{words.declared(formatDay(record.created_at))}</span>
      </p>
    </div>
    <div className="flex flex-wrap gap-3">
      {!record.tied && record.tie === 'proof' && (
        <Allowed action="signers.prove">
          <Button aria-haspopup="dialog" aria-label={words.prove.of(lineOf(record))} onClick={onProve}>
            {words.prove.button}
          </Button>
        </Allowed>
      )}
      {onWithdraw && (
        <Button aria-haspopup="dialog" aria-label={words.withdraw.of(lineOf(record))} onClick={onWithdraw}>
          {words.withdraw.button}
        </Button>
      )}
    </div>
  </li>
)
