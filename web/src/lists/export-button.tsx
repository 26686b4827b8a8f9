import { csvOf } from '@countersign/sdk/contract/csv'
import { Download } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { listWords } from '#messages/dashboard/list.ts'
import { explainFailure } from '../failures/failure.ts'
import { Button } from '../ui/controls/button.tsx'
import { toast } from '../ui/controls/toast.ts'
import { fileNameOf } from './file-name.ts'
import { saveFile } from './save-file.ts'

const words = listWords.csv

interface ExportButtonProps<Row> {
  /** Begins the file's name. */
  list: string
  /** The filters in effect, for the file's name. */
  filters: readonly string[]
  columns: readonly (keyof Row & string)[]
  /** How many rows match, in words, if known. */
  total?: string | undefined
  /** All rows that match the filters, not only this page. */
  rows: () => Iterable<Row> | AsyncIterable<Row>
  /** Whether whole rows can also be exported, one JSON object a line. */
  hasLines?: boolean
}

const reportedAfter = 100

/** Exports all rows that match the filters. */
export const ExportButton = <Row extends object>({
  list,
  filters,
  columns,
  total,
  rows,
  hasLines,
}: ExportButtonProps<Row>) => {
  const [count, setCount] = useState<number | null>(null)
  const isStopped = useRef(false)
  // Cancel the export on unmount.
  useEffect(
    () => () => {
      isStopped.current = true
    },
    [],
  )
  const save = async (kind: 'csv' | 'jsonl') => {
    isStopped.current = false
    setCount(0)
    try {
      const all: Row[] = []
      for await (const row of rows()) {
        if (isStopped.current) return
        if (all.push(row) % reportedAfter === 0) setCount(all.length)
      }
      if (isStopped.current) return
      const name = fileNameOf(list, filters, Date.now(), kind)
      if (kind === 'csv') saveFile(name, 'text/csv;charset=utf-8', csvOf(columns, all))
      else saveFile(name, 'application/jsonl', all.map((row) => `${JSON.stringify(row)}\n`).join(''))
      toast.success(words.done(all.length))
    } catch (failure) {
      if (!isStopped.current) toast.error(words.failed, { description: explainFailure(failure) })
    } finally {
      setCount(null)
    }
  }
  return (
    <>
      <p role="status" className="self-center text-small empty:hidden">
        {count === null ? '' : total === undefined ? words.workingOpen(count) : words.working(count, total)}
      </p>
      {count === null ? (
        <>
          <Button onClick={() => void save('csv')}>
            <Download aria-hidden size={16} />
            {words.button}
          </Button>
          {hasLines && <Button onClick={() => void save('jsonl')}>{words.linesButton}</Button>}
        </>
      ) : (
        <Button
          onClick={() => {
            isStopped.current = true
          }}
        >
          {words.cancel}
        </Button>
      )}
    </>
  )
}
