import { Plus, X } from 'lucide-react'
import { useId } from 'react'
import { registerDeployment } from '#messages/dashboard/register-deployment.ts'
import { TextAreaField } from '../../../forms/field.tsx'
import { classes } from '../../../ui/classes.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { controlLook } from '../../../ui/controls/control-look.ts'
import { jsonOf, type LabelRow, type LabelsReading, readJson, readRows, rowsOf } from './labels.ts'

const words = registerDeployment.labels

/** An editor for labels, as rows or as JSON. */
export interface WrittenLabels {
  isJson: boolean
  rows: LabelRow[]
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
  const id = useId()
  const setRow = (at: number, row: LabelRow) =>
    change({ ...labels, rows: rows.map((before, index) => (index === at ? row : before)) })
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
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity
            <div key={index} className="grid grid-cols-[1fr_1fr_auto] gap-2">
              <input
                aria-label={words.name(index + 1)}
                placeholder={words.names}
                value={row.name}
                onChange={({ target }) => setRow(index, { ...row, name: target.value })}
                aria-describedby={`${id}-problem`}
                aria-invalid={problem !== ''}
                autoComplete="off"
                spellCheck={false}
                className={controlLook}
              />
              <input
                aria-label={words.value(index + 1)}
                placeholder={words.values}
                value={row.value}
                onChange={({ target }) => setRow(index, { ...row, value: target.value })}
                aria-describedby={`${id}-problem`}
                aria-invalid={problem !== ''}
                autoComplete="off"
                spellCheck={false}
                className={controlLook}
              />
              <Button
                look="icon"
                aria-label={words.remove(row.name || words.unnamed(index + 1))}
                onClick={() => change({ ...labels, rows: rows.filter((_, other) => other !== index) })}
              >
                <X aria-hidden size={16} />
              </Button>
            </div>
          ))}
          <p id={`${id}-problem`} role="alert" className={classes('font-semibold text-bad text-small empty:hidden')}>
            {problem}
          </p>
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
