import { type ModelField, type ModelFieldRow, modelFieldRows } from '@countersign/sdk/contract'
import { type ReactNode, useId } from 'react'
import { modelForm } from '#messages/dashboard/model-form.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import { benchmarkNames, type WordName, wordNames } from '../model-draft.ts'
import type { DraftField } from '../rules.ts'
import type { ModelFormState } from '../use-model-form.ts'
import { Line } from './form-field.tsx'
import { FormSection } from './form-section.tsx'
import { WordsField } from './words-field.tsx'

const { sections, hints } = modelForm

type Section = NonNullable<ModelFieldRow['section']>
type Named = ModelField & DraftField & keyof typeof modelForm.labels

const rowsOf = (section: Section) =>
  modelFieldRows.filter(([, row]) => row.section === section) as [Named, ModelFieldRow][]
const fieldsOf = (section: Section) => rowsOf(section).map(([name]) => name)

export const advancedFields: readonly DraftField[] = [
  ...fieldsOf('specifications'),
  ...benchmarkNames,
  ...fieldsOf('service'),
  ...fieldsOf('links'),
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
          <Fields form={form} section="specifications" />
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
          <Fields form={form} section="service" />
        </FormSection>
        <FormSection heading={sections.links}>
          <Fields form={form} section="links" />
        </FormSection>
      </div>
    </div>
  )
}

const isWords = (name: Named): name is Named & WordName => (wordNames as readonly string[]).includes(name)

const Fields = ({ form, section }: { form: ModelFormState; section: Section }) => {
  const rows = rowsOf(section)
  const lists = rows.filter(([name, { kind }]) => kind === 'words' && !isWords(name))
  return (
    <>
      {lists.map(([name]) => (
        <Line key={name} {...{ form, name }} />
      ))}
      <Grid>
        {rows
          .filter(([, { kind }]) => kind !== 'words')
          .map(([name, { kind }]) => (
            <Line
              key={name}
              {...{ form, name }}
              {...(kind === 'count' && { inputMode: 'numeric' })}
              {...(kind === 'url' && { type: 'url' })}
            />
          ))}
      </Grid>
      {fieldsOf(section)
        .filter(isWords)
        .map((name) => (
          <WordsField key={name} {...{ form, name }} />
        ))}
    </>
  )
}

const Grid = ({ children }: { children: ReactNode }) => (
  <div className="grid items-start gap-5 sm:grid-cols-2">{children}</div>
)
