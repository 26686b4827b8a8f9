import type { Model } from '@countersign/sdk/contract'
import { modelPage } from '#messages/pages/model-page.ts'
import { FactRow, FactRows } from '../../../ui/layout/facts.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { DigestStrip } from '../../../ui/values/digest-strip.tsx'
import { Hex } from '../../../ui/values/hex.tsx'
import { InlineCode } from '../../../ui/values/inline-code.tsx'

const words = modelPage.sample

const sample = {
  digest: '5a3d91e07c42b86f1e0d947ab35c28f6d1904e7b62f3a85c9b17e04d3c68fa21',
  signer: 'release@northwind.example',
  fingerprint: '64fe2b81c09d537a',
  spiffe: 'spiffe://northwind.example/chat',
  cloud: 'northwind-demo-1',
}

/** Placeholder content for sample models, clearly marked as not checked. */
export const SampleData = ({ model }: { model: Model }) => {
  if (!model.is_demo || model.bundle_verification_details !== null) return null
  return (
    <Section heading={words.label}>
      <div className="border-control border-s-4 ps-4">
        <p className="mb-3 text-muted text-small">{words.text}</p>
        {model.model_digest === null && <DigestStrip digest={sample.digest} />}
        <FactRows>
          {model.model_digest === null && (
            <FactRow name={words.digest}>
              <Hex value={sample.digest} />
            </FactRow>
          )}
          <FactRow name={words.signer}>{sample.signer}</FactRow>
          <FactRow name={words.checks}>{words.checksValue}</FactRow>
          <FactRow name={words.fingerprint}>
            <InlineCode>{`${sample.fingerprint}…`}</InlineCode>
          </FactRow>
          <FactRow name={words.spiffe}>
            <InlineCode>{sample.spiffe}</InlineCode>
          </FactRow>
          <FactRow name={words.cloud}>{sample.cloud}</FactRow>
        </FactRows>
      </div>
    </Section>
  )
}
