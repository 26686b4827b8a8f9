import { Plus } from 'lucide-react'
import { registerDeployment } from '#messages/dashboard/register-deployment.ts'
import { TextAreaField } from '../../../forms/field.tsx'
import { type Pair, PairFields } from '../../../forms/pair-fields.tsx'
import { Button } from '../../../ui/controls/button.tsx'
import { jsonOf, type LabelsReading, readJson, readRows, rowsOf } from './labels.ts'

const words = registerDeployment.labels

/** An editor for labels, as rows or as JSON. */
export interface WrittenLabels {
  isJson: boolean
  rows: Pair[]
  text: string
}

export const noLabels: WrittenLabels = { isJson: false, rows: [], text: '' }

export const readLabels = ({ isJson, rows, text }: WrittenLabels): LabelsReading =>
  isJson ? readJson(text) : readRows(rows)

interface LabelFieldsProps {
  labels: WrittenLabels
  problem: string
  change: (labels: WrittenLabels) => void
}

export const LabelFields = ({ labels, problem, change }: LabelFieldsProps) => {
  const { isJson, rows, text } = labels
  const turn = () => {
    const reading = readLabels(labels)
    // Invalid JSON stays as it is; switching to rows would lose it.
    const read = 'labels' in reading ? reading.labels : {}
    change(isJson ? { ...labels, isJson: false, rows: rowsOf(read) } : { ...labels, isJson: true, text: jsonOf(read) })
  }
  const canTurn = 'labels' in readLabels(labels)
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 font-semibold text-small">{words.legend}</legend>
      {isJson ? (
        <TextAreaField
          label={words.json}
          hint={words.jsonHint}
          problem={problem}
          rows={4}
          value={text}
          onChange={({ target }) => change({ ...labels, text: target.value })}
          spellCheck={false}
          autoComplete="off"
        />
      ) : (
        <>
          <p className="text-muted text-small">{words.hint}</p>
          <PairFields
            words={words}
            rows={rows}
            problem={problem}
            change={(next) => change({ ...labels, rows: next })}
          />
        </>
      )}
      <div className="flex flex-wrap gap-2">
        {!isJson && (
          <Button onClick={() => change({ ...labels, rows: [...rows, { name: '', value: '' }] })}>
            <Plus aria-hidden size={16} />
            {words.add}
          </Button>
        )}
        <Button onClick={turn} aria-disabled={!canTurn}>
          {isJson ? words.asRows : words.asJson}
        </Button>
      </div>
    </fieldset>
  )
}
