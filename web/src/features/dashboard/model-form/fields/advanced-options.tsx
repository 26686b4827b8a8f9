import { type ReactNode, useId } from 'react'
import { modelForm } from '#messages/dashboard/model-form.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import { benchmarkNames, type LineName, wordNames } from '../model-draft.ts'
import type { DraftField } from '../rules.ts'
import type { ModelFormState } from '../use-model-form.ts'
import { Line } from './form-field.tsx'
import { FormSection } from './form-section.tsx'
import { WordsField } from './words-field.tsx'

const { sections, hints } = modelForm

const specifications = ['model_name', 'family_name', 'model_family_id', 'language', 'training_cutoff', 'architecture'] as const
const service = ['tls_version', 'uptime_sla', 'avg_response_time'] as const
const links = ['model_card_url', 'github_repo_url', 'huggingface_url', 'paper_url'] as const satisfies readonly LineName[]

export const advancedFields: readonly DraftField[] = [
  ...specifications,
  'context_window',
  'model_size',
  ...wordNames,
  ...benchmarkNames,
  'serving_regions',
  ...service,
  ...links,
  'huggingface_model_id',
]

interface AdvancedOptionsProps {
  form: ModelFormState
  isOpen: boolean
  onToggle: () => void
  words?: { show: string; hide: string }
}

/** The optional fields. They keep their values while hidden. */
export const AdvancedOptions = ({
  form,
  isOpen,
  onToggle,
  words = { show: modelForm.showAdvanced, hide: modelForm.hideAdvanced },
}: AdvancedOptionsProps) => {
  const id = useId()
  return (
    <div>
      <Button aria-expanded={isOpen} aria-controls={id} onClick={onToggle}>
        {isOpen ? words.hide : words.show}
      </Button>
      <div id={id} hidden={!isOpen} className="mt-6 grid gap-8 [&[hidden]]:hidden">
        <p className="text-muted text-small">{modelForm.allOptional}</p>
        <FormSection heading={sections.specifications}>
          <Grid>
            {specifications.map((name) => (
              <Line key={name} {...{ form, name }} />
            ))}
            <Line form={form} name="context_window" inputMode="numeric" />
            <Line form={form} name="model_size" />
          </Grid>
          {wordNames.map((name) => (
            <WordsField key={name} {...{ form, name }} />
          ))}
        </FormSection>
        <FormSection heading={sections.benchmarks}>
          <Grid>
            {benchmarkNames.map((name) => (
              <Line
                key={name}
                {...{ form, name }}
                inputMode="decimal"
                hint={name === 'lmarena_ranking' ? hints.lmarena_ranking : hints.benchmark}
              />
            ))}
          </Grid>
        </FormSection>
        <FormSection heading={sections.service}>
          <Line form={form} name="serving_regions" />
          <Grid>
            {service.map((name) => (
              <Line key={name} {...{ form, name }} />
            ))}
          </Grid>
        </FormSection>
        <FormSection heading={sections.links}>
          <Grid>
            {links.map((name) => (
              <Line key={name} {...{ form, name }} type="url" />
            ))}
            <Line form={form} name="huggingface_model_id" />
          </Grid>
        </FormSection>
      </div>
    </div>
  )
}

const Grid = ({ children }: { children: ReactNode }) => <div className="grid items-start gap-5 sm:grid-cols-2">{children}</div>
