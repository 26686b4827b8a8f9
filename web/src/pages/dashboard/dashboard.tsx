import { Link } from 'react-router-dom'
import { dashboard } from '#messages/dashboard.ts'
import { site } from '#messages/site.ts'
import { useOwnProvider } from '../../data/provider.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { useDocumentTitle } from '../../ui/document-title.ts'
import { FactRow, FactRows } from '../../ui/facts.tsx'
import { PageMain } from '../../ui/page-main.tsx'
import { Section } from '../../ui/section.tsx'

const words = dashboard

const commands = `countersign auth login
countersign providers verify-domain
countersign models register ./atlas-chat.safetensors
countersign deployments register --cert deployment.crt`

/** Where a provider stands, and the next step. */
export const DashboardPage = () => {
  const { provider } = useOwnProvider()
  useDocumentTitle(site.title(words.title))
  if (provider === undefined) return null
  const { domain_proof: proof } = provider
  return (
    <PageMain state="ready" className="mx-auto w-full max-w-record px-4 pt-12">
      <h1 className="heading-verdict">{provider.company_name ?? words.heading}</h1>
      <p className="mt-4 max-w-prose">
        {provider.domain_verified ? words.domainProven(provider.domain ?? '') : words.domainNotProven(provider.domain ?? '')}
      </p>
      {!provider.domain_verified && proof && (
        <div className="mt-4">
          <FactRows>
            <FactRow name={words.record.name}>
              <code className="font-mono text-small">{proof.record_name}</code>
            </FactRow>
            <FactRow name={words.record.type}>{proof.record_type}</FactRow>
            <FactRow name={words.record.value}>
              <span className="flex items-center justify-between gap-2">
                <code className="font-mono text-small">{proof.record_value}</code>
                <CopyButton text={proof.record_value} what={words.record.value} />
              </span>
            </FactRow>
          </FactRows>
        </div>
      )}
      <Section heading={words.commandsHeading}>
        <p className="max-w-prose">{words.commandsText}</p>
        <div className="my-4">
          <CodeBlock code={commands} what={words.commandsWhat} />
        </div>
        <Link to={`/providers/${provider.id}`} className="link">
          {words.profile}
        </Link>
      </Section>
    </PageMain>
  )
}
