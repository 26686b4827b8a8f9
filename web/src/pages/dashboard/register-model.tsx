import { Link } from 'react-router-dom'
import { dashboard } from '#messages/dashboard.ts'
import { site } from '#messages/site.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { useDocumentTitle } from '../../ui/document-title.ts'
import { PageMain } from '../../ui/page-main.tsx'
import { Section } from '../../ui/section.tsx'

const words = dashboard.registerModel

/** How a model is registered by whoever has its files. */
export const RegisterModelPage = () => {
  useDocumentTitle(site.title(words.title))
  return (
    <PageMain state="ready" className="mx-auto w-full max-w-record px-4 pt-12">
      <h1 className="heading-verdict">{words.heading}</h1>
      <p className="mt-4 max-w-prose">{words.text}</p>
      <Section heading={words.signIn}>
        <p className="mb-3 max-w-prose">{words.signInText}</p>
        <CodeBlock code={`countersign auth login --api-url ${location.origin}`} what={words.what} />
      </Section>
      <Section heading={words.register}>
        <p className="mb-3 max-w-prose">{words.registerText}</p>
        <CodeBlock code="countersign models register ./atlas-chat.safetensors" what={words.what} />
      </Section>
      <p className="mt-8 flex flex-wrap gap-x-6 gap-y-2">
        <Link to="/docs#register-model" className="link">
          {words.docs}
        </Link>
        <Link to="/dashboard" className="link">
          {words.back}
        </Link>
      </p>
    </PageMain>
  )
}
