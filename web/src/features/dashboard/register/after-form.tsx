import { register } from '#messages/dashboard/register.ts'
import { CodeBlock } from '../../../ui/values/code-block.tsx'
import { FormSection } from '../model-form/fields/form-section.tsx'
import type { ModelFormState } from '../model-form/use-model-form.ts'
import { registrationCommand } from './command-line.ts'

const words = register.command

/** The command that registers the same model. */
export const AfterForm = ({ form, bundleName }: { form: ModelFormState; bundleName?: string }) => (
  <FormSection heading={words.heading}>
    <p className="text-muted text-small">{words.text}</p>
    <CodeBlock code={registrationCommand(form.draft, form.content, bundleName)} what={words.what} />
  </FormSection>
)
