import { Download } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { incidentsTab } from '#messages/dashboard/incidents.ts'
import { explainFailure } from '../../../failures/failure.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { toast } from '../../../ui/controls/toast.ts'
import { csvOf, fileNameOf } from './csv.ts'
import { type IncidentChoice, readAllIncidents } from './own-incidents.ts'
import { saveFile } from './save-file.ts'

const words = incidentsTab.csv

/** Exports all incidents that match the filter, over all pages. */
export const ExportButton = ({ filter, total }: { filter: IncidentChoice; total: string }) => {
  const [count, setCount] = useState<number | null>(null)
  const isStopped = useRef(false)
  // Cancel the export on unmount.
  useEffect(
    () => () => {
      isStopped.current = true
    },
    [],
  )
  const save = async () => {
    isStopped.current = false
    setCount(0)
    try {
      const all = await readAllIncidents(filter, (read) => {
        setCount(read)
        return !isStopped.current
      })
      if (all === null) return
      saveFile(fileNameOf(filter, Date.now()), 'text/csv;charset=utf-8', csvOf(all))
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
        {count === null ? '' : words.working(count, total)}
      </p>
      {count === null ? (
        <Button onClick={() => void save()}>
          <Download aria-hidden size={16} />
          {words.button}
        </Button>
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
