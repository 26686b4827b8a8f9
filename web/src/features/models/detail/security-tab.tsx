import type { Model } from '@countersign/sdk/contract'
import { lazy, Suspense } from 'react'
import { modelParts } from '#messages/pages/model-parts.ts'
import { registryHost } from '../../../data/registry.ts'
import { useCredentials } from '../../../data/session.ts'
import { CopyButton } from '../../../ui/controls/copy-button.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { CodeBlock } from '../../../ui/values/code-block.tsx'
import { DigestStrip } from '../../../ui/values/digest-strip.tsx'
import { Hex } from '../../../ui/values/hex.tsx'
import { useDeploymentCount } from '../access/use-deployment-count.ts'
import { BundleChecks } from '../bundle/bundle-checks.tsx'
import { isOfUnknown } from '../bundle/bundle-chip.tsx'
import { BundleFacts } from '../bundle/bundle-facts.tsx'
import { useBundle } from '../bundle/use-bundle.ts'
import { CompareFiles } from './compare-files.tsx'
import { FileList } from './file-list.tsx'
import { SampleData } from './sample-data.tsx'

const words = modelParts.security
// Shown only to the model's provider.
const AuthorizationCard = lazy(() =>
  import('../access/authorization-card.tsx').then(({ AuthorizationCard }) => ({ default: AuthorizationCard })),
)

/** The model file, its authorized deployments, and how to check for oneself. */
export const SecurityTab = ({ model }: { model: Model }) => {
  const { apiKey, providerId } = useCredentials()
  const bundle = useBundle(model.id)
  return (
    <div className="max-w-record">
      <Section heading={words.heading}>
        <Digest model={model} />
        <BundleFacts model={model} bundle={bundle} />
      </Section>
      <BundleChecks bundle={bundle} />
      <SampleData model={model} />
      {model.model_digest !== null && (
        <>
          <FileList key={model.model_digest} modelId={model.id} digest={model.model_digest} />
          <CompareFiles modelId={model.id} digest={model.model_digest} />
        </>
      )}
      <Deployments model={model} />
      {apiKey !== null && providerId === model.provider_id && (
        <Suspense>
          <AuthorizationCard modelId={model.id} />
        </Suspense>
      )}
      <CheckItself model={model} />
    </div>
  )
}

const Digest = ({ model }: { model: Model }) => {
  if (model.model_digest === null) return <p className="mb-4">{words.noDigest}</p>
  const hex = model.model_digest.replace(/^sha256:/, '')
  return (
    <div className="mb-4">
      <DigestStrip digest={hex} />
      <p className="mt-2 flex items-center gap-1 text-muted text-small">
        {words.digest} <CopyButton text={model.model_digest} what={words.digest} />
      </p>
      <Hex value={hex} />
      <p className="mt-1 text-small">
        {model.bundle_status === 'verified' && !isOfUnknown(model) ? words.digestSigned : words.digestStated}{' '}
        {model.digest_source !== null && model.digest_source !== 'stated' && words.sources[model.digest_source]}
      </p>
    </div>
  )
}

const Deployments = ({ model }: { model: Model }) => {
  const count = useDeploymentCount(model.id)
  const { deployments } = modelParts
  return (
    <Section heading={deployments.heading}>
      {count !== undefined && <p>{deployments.count(count)}</p>}
      <p className="mt-1 text-muted text-small">
        {model.require_deployment_proof ? deployments.proofRequired : deployments.proofNotRequired}
      </p>
    </Section>
  )
}

const CheckItself = ({ model }: { model: Model }) => {
  const { itself } = modelParts
  const api = `${location.protocol}//${registryHost}/api/v1/models/${model.id}`
  return (
    <Section heading={itself.heading}>
      <div className="grid grid-cols-1 gap-3">
        {model.model_digest !== null && (
          <>
            <p>{itself.cli}</p>
            <CodeBlock code={`countersign models check ./model --model ${model.id}`} what={itself.cliName} />
          </>
        )}
        <p>{itself.curl}</p>
        <CodeBlock code={`curl ${api}/public\ncurl ${api}/bundle-status`} what={itself.curlName} />
        <p>
          <a href={`/api/v1/models/${model.id}/bundle-status`} className="link text-small">
            {itself.bundleJson}
          </a>
        </p>
      </div>
    </Section>
  )
}
