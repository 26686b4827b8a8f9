import { ApiError } from '@countersign/sdk'
import { type BundleRecord, type BundleSigner, describeSigner, type Model } from '@countersign/sdk/contract'
import { quoteExactly } from '@countersign/sdk/words'
import { useState } from 'react'
import { modelParts } from '#messages/pages/model-parts.ts'
import { formatTime } from '#messages/site.ts'
import { isSignedIn, useCredentials } from '../../../data/session.ts'
import { explainFailure } from '../../../failures/failure.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { toast } from '../../../ui/controls/toast.ts'
import { FactRow, FactRows } from '../../../ui/layout/facts.tsx'
import { Hex } from '../../../ui/values/hex.tsx'
import { WebAddress } from '../../../ui/values/web-address.tsx'
import { BundleChip, isOfThirdParty, isOfUnknown } from './bundle-chip.tsx'
import type { useBundle } from './use-bundle.ts'

const words = modelParts.security

interface BundleFactsProps {
  model: Model
  bundle: ReturnType<typeof useBundle>
}

/** The result for the signed bundle, its signer, and whether that is the provider’s own. */
export const BundleFacts = ({ model, bundle: { bundle, verify } }: BundleFactsProps) => {
  const checked = bundle ?? model
  const { bundle_status: status, bundle_last_checked: checkedAt } = checked
  const signer = bundle?.signer ?? model.bundle_signer
  const isThirdParty = isOfThirdParty(checked)
  const isUnknown = isOfUnknown(checked)
  return (
    <>
      <FactRows>
        <FactRow name={words.bundle}>
          <BundleChip of={checked} />
          <p className="mt-1">{isThirdParty || isUnknown ? words.thirdPartyMeans : words.bundleMeans[status]}</p>
          <ErrorText model={model} bundle={bundle} />
        </FactRow>
        {signer !== null && (
          <FactRow name={words.signer}>
            <SignerName signer={signer} />
            <p className="text-muted text-small">
              {isUnknown
                ? words.ofUnknown
                : isThirdParty
                  ? words.thirdParty
                  : checked.bundle_verification_details?.reason === 'attestation_only'
                    ? words.attestationMeans
                    : words.signerMeans[status]}
            </p>
          </FactRow>
        )}
        {bundle?.signed_at && <FactRow name={words.signedAt}>{formatTime(bundle.signed_at)}</FactRow>}
        {bundle?.log && <FactRow name={words.log}>{words.logEntry(bundle.log.index, bundle.log.origin)}</FactRow>}
        <FactRow name={words.lastChecked}>
          {checkedAt === null ? words.neverChecked : formatTime(checkedAt)}
          {bundle?.verification_status === 'in_progress' && (
            <p role="status" className="text-muted text-small">
              {words.inProgress}
            </p>
          )}
        </FactRow>
        <Source
          url={model.sigstore_bundle_url}
          source={bundle?.bundle_source}
          isFetched={checkedAt !== null && status !== 'error'}
        />
      </FactRows>
      <VerifyButton
        model={model}
        hasBundle={bundle?.bundle_source != null || model.sigstore_bundle_url !== null}
        verify={verify}
      />
    </>
  )
}

interface SourceProps {
  url: string | null
  /** Undefined until it is known. */
  source: BundleRecord['bundle_source'] | undefined
  isFetched: boolean
}

/** Where the checked bundle came from. An address that was not read, or redirected elsewhere, is not shown beside the verdict. */
const Source = ({ url, source, isFetched }: SourceProps) => {
  if (source === 'upload') return <FactRow name={words.address}>{words.uploaded}</FactRow>
  if (source === 'redirect' && isFetched) return <FactRow name={words.address}>{words.redirected}</FactRow>
  if (url === null || source === undefined) return null
  return (
    <FactRow name={words.address}>
      <WebAddress url={url} isHostAlone />
      {!isFetched && <p className="text-muted text-small">{words.addressStated}</p>}
    </FactRow>
  )
}

/** What the registry found and what to do about it: the provider's business. Visitors see the status and the checks. */
const ErrorText = ({ model, bundle }: { model: Model; bundle: BundleRecord | undefined }) => {
  const { providerId } = useCredentials()
  const { bundle_status: status, bundle_verification_details: details } = bundle ?? model
  const text = status === 'verified' ? null : (details?.error ?? bundle?.message ?? null)
  if (providerId !== model.provider_id) return null
  return text === null ? null : <p className="mt-1 text-muted text-small">{text}</p>
}

const SignerName = ({ signer }: { signer: BundleSigner }) => {
  const { identity, key_fingerprint } = signer
  if (identity !== null) return <bdi>{describeSigner(signer, quoteExactly)}</bdi>
  if (key_fingerprint === null) return words.signerUnknown
  return (
    <>
      {words.signerKey} <Hex value={key_fingerprint} />
    </>
  )
}

interface VerifyButtonProps {
  model: Model
  hasBundle: boolean
  verify: ReturnType<typeof useBundle>['verify']
}

const VerifyButton = ({ model, hasBundle, verify }: VerifyButtonProps) => {
  const credentials = useCredentials()
  const [isAsking, setIsAsking] = useState(false)
  if (!isSignedIn(credentials)) return null
  const isOwn = credentials.providerId === model.provider_id
  const isOff = !isOwn || !hasBundle || isAsking
  const ask = async () => {
    if (credentials.apiKey === null && credentials.token === null) return toast.error(words.needsSignIn)
    setIsAsking(true)
    try {
      const { estimated_completion: expected } = await verify()
      toast.success(words.triggered, {
        description: expected === null ? undefined : words.expected(formatTime(expected)),
      })
    } catch (failure) {
      const isRefused = failure instanceof ApiError && failure.status === 401
      toast.error(isRefused ? words.needsSignIn : words.failed, {
        description: isRefused ? undefined : explainFailure(failure),
      })
    }
    setIsAsking(false)
  }
  return (
    <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
      <Button onClick={() => void (isOff || ask())} aria-disabled={isOff} aria-describedby="verify-reason">
        {isAsking ? words.verifying : words.verify}
      </Button>
      <p id="verify-reason" className="text-muted text-small">
        {!isOwn ? words.notYours : !hasBundle && words.noBundle}
      </p>
    </div>
  )
}
