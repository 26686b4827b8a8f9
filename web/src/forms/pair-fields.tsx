import { X } from 'lucide-react'
import { useId } from 'react'
import { Button } from '../ui/controls/button.tsx'
import { controlLook } from '../ui/controls/control-look.ts'

export interface Pair {
  name: string
  value: string
}

interface PairFieldsProps {
  words: {
    name: (index: number) => string
    value: (index: number) => string
    names: string
    values: string
    remove: (name: string) => string
    unnamed: (index: number) => string
  }
  rows: readonly Pair[]
  /** Empty if all are valid. */
  problem: string
  change: (rows: Pair[]) => void
}

/** Rows of a name and a value. */
export const PairFields = ({ words, rows, problem, change }: PairFieldsProps) => {
  const id = useId()
  const input = (label: string, placeholder: string, row: Pair, index: number, key: keyof Pair) => (
    <input
      aria-label={label}
      placeholder={placeholder}
      value={row[key]}
      onChange={({ target }) =>
        change(rows.map((before, other) => (other === index ? { ...row, [key]: target.value } : before)))
      }
      aria-describedby={`${id}-problem`}
      aria-invalid={problem !== ''}
      autoComplete="off"
      spellCheck={false}
      className={controlLook}
    />
  )
  return (
    <>
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity
        <div key={index} className="grid grid-cols-[1fr_1fr_auto] gap-2">
          {input(words.name(index + 1), words.names, row, index, 'name')}
          {input(words.value(index + 1), words.values, row, index, 'value')}
          <Button
            look="icon"
            aria-label={words.remove(row.name || words.unnamed(index + 1))}
            onClick={() => change(rows.filter((_, other) => other !== index))}
          >
            <X aria-hidden size={16} />
          </Button>
        </div>
      ))}
      <p id={`${id}-problem`} role="alert" className="font-semibold text-bad text-small empty:hidden">
        {problem}
      </p>
    </>
  )
}
