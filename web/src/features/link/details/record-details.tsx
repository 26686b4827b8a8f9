import type { Check, VerificationResult } from '@countersign/sdk/contract'
import { provenDomain } from '@countersign/sdk/verify'
import { checkRowsOf, countChecks, isShown, type LinkState, quote, quoteExactly } from '@countersign/sdk/words'
import type { ReactNode } from 'react'
import { linkDetails } from '#messages/pages/link-details.ts'
import { formatDay } from '#messages/site.ts'
import { FactRow, FactRows } from '../../../ui/layout/facts.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { DigestStrip } from '../../../ui/values/digest-strip.tsx'
import { Hex } from '../../../ui/values/hex.tsx'
import { StatusChip, type Tone } from '../../../ui/values/status-chip.tsx'
import { Moment, useUtc } from '../moment.tsx'
import { RichText } from '../rich-text.tsx'
import { CheckList } from './check-list.tsx'
import { Fold } from './fold.tsx'
import { LogDetails } from './log-details.tsx'
import { providerTrust } from './provider-trust.ts'
import { TechnicalDetails } from './technical-details.tsx'
import { Timeline } from './timeline-section.tsx'

const words = linkDetails

interface RecordDetailsProps {
  record: VerificationResult | null
  checks: readonly Check[]
  state: LinkState
  checkAgain?: () => void
  /** Not a record that can be looked up. */
  isSample?: boolean
  /** More details, collapsed. */
  children?: ReactNode
}

/** The evidence in collapsed sections. */
export const RecordDetails = ({
  record,
  checks,
  state,
  checkAgain,
  isSample = false,
  children,
}: RecordDetailsProps) => {
  const utc = useUtc()
  const rows = checkRowsOf(checks)
  return (
    <Section heading={words.heading}>
      <div className="border-line border-t">
        {rows.length > 0 && (
          <Fold heading={words.checks.heading} summary={words.checks.summary(countChecks(rows))}>
            <CheckList rows={rows} logState={record?.log.state ?? 'could_not_check'} />
          </Fold>
        )}
        {children}
        {record?.model && (
          <>
            <ModelDetails model={record.model} record={record} state={state} />
            <ModelSecurity model={record.model} isKnown={provenDomain(record) !== null} state={state} />
          </>
        )}
        {record?.provider && <ProviderDetails provider={record.provider} />}
        {record?.deployment_info && <DeploymentInformation deployment={record.deployment_info} state={state} />}
        {record && (
          <>
            <Fold heading={words.timeline.heading}>
              <Timeline record={record} />
            </Fold>
            {!isSample && (
              <>
                <LogDetails record={record} />
                <TechnicalDetails record={record} />
              </>
            )}
          </>
        )}
      </div>
      {record && (
        <p className="mt-3 flex flex-wrap gap-x-4 text-muted text-small print:hidden">
          <span className="py-1">
            <RichText message={words.checkedAt} parts={[<Moment key="at" time={record.checked_at} />]} />
          </span>
          {checkAgain && (
            <button type="button" onClick={checkAgain} className="link min-h-6 cursor-pointer py-1">
              {words.checkAgain}
            </button>
          )}
          <button type="button" onClick={utc.toggle} className="link min-h-6 cursor-pointer py-1">
            {utc.isShown ? words.times.withoutUtc : words.times.withUtc}
          </button>
        </p>
      )}
    </Section>
  )
}

type Part<K extends 'model' | 'provider' | 'deployment_info'> = NonNullable<VerificationResult[K]>

const ModelDetails = ({
  model,
  record,
  state,
}: {
  model: Part<'model'>
  record: VerificationResult
  state: LinkState
}) => (
  <Fold heading={words.model.heading}>
    <FactRows>
      <FactRow name={words.model.name}>{quote(model.name)}</FactRow>
      <FactRow name={words.model.version}>{words.model.versionNumber(model.version, model.version_number)}</FactRow>
      <FactRow name={words.model.identifier}>
        <Code>{model.api_model_identifier}</Code>
      </FactRow>
      <FactRow name={words.model.id}>
        <Code>{model.id}</Code>
      </FactRow>
      {isShown(state) ? (
        <FactRow name={state === 'verified' ? words.model.verifiedAt : words.model.checkedAt}>
          <Moment time={record.checked_at} />
        </FactRow>
      ) : (
        <FactRow name={words.model.issuedAt}>
          <Moment time={record.timestamp} />
        </FactRow>
      )}
    </FactRows>
  </Fold>
)

const bundleTones = { unknown: 'unk', verified: 'ok', invalid: 'bad', error: 'warn' } as const satisfies Record<
  Part<'model'>['bundle_status'],
  Tone
>

/** The name in a certificate, which its signer chose, is quoted in the registry's words. */
const quoteIdentity = (named: string, identity: string | null | undefined) =>
  identity ? named.replace(identity, () => quoteExactly(identity)) : named

const ModelSecurity = ({ model, isKnown, state }: { model: Part<'model'>; isKnown: boolean; state: LinkState }) => {
  const { model_digest: digest, bundle_status: bundle, bundle_signer: signer } = model
  const {
    signer_identity: named,
    signature_timestamp: signedAt,
    signer_tied: isTied,
    reason,
  } = model.bundle_verification_details ?? {}
  const isThirdParty = bundle === 'unknown' && isTied === false
  // Nothing shows whose signer it is.
  const isOfUnknown = bundle === 'verified' && !isKnown
  // No green on a page that warns.
  const isGrey = isOfUnknown || (bundle === 'verified' && state !== 'verified' && state !== 'provider_only')
  return (
    <Fold heading={words.security.heading}>
      {digest === null ? (
        <p className="mb-4">{words.security.noDigest}</p>
      ) : (
        <div className="mb-4">
          <DigestStrip digest={digest} />
          <p className="mt-2 text-muted text-small">{words.security.digest}</p>
          <Hex value={digest.replace(/^sha256:/, '')} />
          <p className="mt-1 text-small">
            {bundle === 'verified' && isKnown ? words.security.digestSigned : words.security.digestStated}
          </p>
        </div>
      )}
      <FactRows>
        <FactRow name={words.security.bundle}>
          <StatusChip tone={isGrey ? 'unk' : bundleTones[bundle]}>
            {model.bundle_last_checked === null
              ? words.checks.notChecked
              : isOfUnknown
                ? words.security.ofUnknown
                : isThirdParty
                  ? words.security.thirdParty
                  : words.security.bundleStatus[bundle]}
          </StatusChip>
          <span className="ms-3 text-muted text-small">
            {model.bundle_last_checked === null ? (
              words.security.bundleNever
            ) : (
              <RichText
                message={words.security.bundleChecked}
                parts={[<Moment key="at" time={model.bundle_last_checked} />]}
              />
            )}
          </span>
          {model.bundle_verification_details?.error && (
            <p className="text-small">{model.bundle_verification_details.error}</p>
          )}
        </FactRow>
        {named && (
          <FactRow name={words.security.signer}>
            <bdi className="break-words">{quoteIdentity(named, signer?.identity)}</bdi>
            <p className="text-muted text-small">
              {isOfUnknown
                ? words.security.ofUnknownMeans
                : isThirdParty
                  ? words.security.thirdPartyMeans
                  : reason === 'attestation_only'
                    ? words.security.attestationMeans
                    : words.security.signerMeans[bundle]}{' '}
              {signedAt && <RichText message={words.security.signedAt} parts={[<Moment key="at" time={signedAt} />]} />}
            </p>
          </FactRow>
        )}
      </FactRows>
    </Fold>
  )
}

const ProviderDetails = ({ provider }: { provider: Part<'provider'> }) => (
  <Fold heading={words.provider.heading}>
    <FactRows>
      <FactRow name={words.provider.domain}>{domainOf(provider)}</FactRow>
      <FactRow name={words.provider.name}>
        {provider.name === null ? words.provider.notStated : quote(provider.name)}
      </FactRow>
      <FactRow name={words.provider.trustLevel}>
        {providerTrust(provider)}
        <p className="text-muted text-small">{words.provider.trustNote}</p>
      </FactRow>
      <FactRow name={words.provider.id}>
        <Code>{provider.id}</Code>
      </FactRow>
    </FactRows>
  </Fold>
)

const domainOf = (provider: Part<'provider'>) => {
  if (provider.domain === null) return words.provider.notStated
  if (!provider.domain_verified) return words.provider.notProven(provider.domain)
  return words.provider.proven(
    provider.domain,
    provider.domain_verification_method,
    provider.domain_verified_at && formatDay(provider.domain_verified_at),
  )
}

const DeploymentInformation = ({ deployment, state }: { deployment: Part<'deployment_info'>; state: LinkState }) => {
  const isGreen = state === 'verified' && deployment.status === 'enabled'
  return (
    <Fold heading={words.deployment.heading}>
      <FactRows>
        <FactRow name={words.deployment.proof}>{words.deployment.binding[deployment.binding]}</FactRow>
        {deployment.workload && (
          <FactRow name={words.deployment.vouched}>
            {words.deployment.vouchedBy(deployment.workload.platform, deployment.workload.subject)}
            {/* Customers of a platform choose names in the path. */}
            <p className="text-muted text-small">{new URL(deployment.workload.issuer).origin}</p>
          </FactRow>
        )}
        <FactRow name={words.deployment.status}>
          <StatusChip tone={isGreen ? 'ok' : 'unk'}>{words.deployment.state[deployment.status]}</StatusChip>
        </FactRow>
        <FactRow name={words.deployment.id}>
          <Code>{deployment.deployment_id}</Code>
        </FactRow>
        <FactRow name={words.deployment.fingerprint}>
          <Code>{`${deployment.spki_fingerprint.slice(0, 16)}…`}</Code>
        </FactRow>
        {deployment.spiffe_id && (
          <FactRow name={words.deployment.spiffe}>
            <Code>{deployment.spiffe_id}</Code>
          </FactRow>
        )}
        {deployment.cloud_identity && (
          <FactRow name={words.deployment.cloud}>{quote(deployment.cloud_identity)}</FactRow>
        )}
      </FactRows>
    </Fold>
  )
}

const Code = ({ children }: { children: string }) => <code className="font-mono text-small">{children}</code>
