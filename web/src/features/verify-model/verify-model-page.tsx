import { Link } from 'react-router-dom'
import { verifyModel } from '#messages/pages/verify-model.ts'
import { site } from '#messages/site.ts'
import { useDocumentTitle } from '../../hooks/use-document-title.ts'
import { Button } from '../../ui/controls/button.tsx'
import { PageMain } from '../../ui/layout/page-main.tsx'
import { Section } from '../../ui/layout/section.tsx'
import { Steps } from '../../ui/layout/steps.tsx'

const words = verifyModel

/** `/verify-model`: where providers start. */
export const VerifyModelPage = () => {
  useDocumentTitle(site.title(words.title))
  return (
    <PageMain state="ready" className="mx-auto w-full max-w-site px-4 pt-12 sm:px-6">
      <h1 className="heading-verdict">{words.heading}</h1>
      <p className="mt-3 max-w-prose text-intro text-muted">{words.intro}</p>
      <div className="mt-10 grid gap-6 md:grid-cols-2">
        <Way {...words.existing} to="/dashboard/models/register" />
        <Way {...words.new} to="/register" isFirst />
      </div>
      <Section heading={words.how.heading} className="mt-14">
        <Steps steps={words.how.steps} isNumbered />
      </Section>
      <p className="mt-8">
        <Link to="/docs#quick-start" className="link">
          {words.docs}
        </Link>
      </p>
    </PageMain>
  )
}

interface WayProps {
  heading: string
  text: string
  action: string
  to: string
  isFirst?: boolean
}

const Way = ({ heading, text, action, to, isFirst = false }: WayProps) => (
  <section className="grid content-between gap-6 rounded-surface border border-line bg-surface p-6">
    <div>
      <h2 className="font-bold text-h2">{heading}</h2>
      <p className="mt-2 text-muted">{text}</p>
    </div>
    <Button look={isFirst ? 'primary' : 'plain'} asChild className="justify-self-start">
      <Link to={to}>{action}</Link>
    </Button>
  </section>
)
