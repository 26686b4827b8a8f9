import { modelForm } from '#messages/dashboard/model-form.ts'
import { Line } from './form-field.tsx'
import type { ModelFormState } from './use-model-form.ts'

const words = modelForm.digest

export const DigestField = ({ form }: { form: ModelFormState }) => (
  <Line form={form} name="model_digest" isOptional hint={words.hint} spellCheck={false} />
)
