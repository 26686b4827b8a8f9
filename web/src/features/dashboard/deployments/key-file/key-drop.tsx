import { FileKey2 } from 'lucide-react'
import { type DragEvent, useId, useRef, useState } from 'react'
import { registerDeployment } from '#messages/dashboard/register-deployment.ts'
import { classes } from '../../../../ui/classes.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import { type FoundKey, type KeyFileProblem, maxKeyFileBytes, readKeyFile } from './key-file.ts'

const words = registerDeployment.file

interface KeyDropProps {
  onFound: (key: FoundKey) => void
  onNothing: () => void
}

/** Reads a certificate or key file, dropped or chosen, in the browser. */
export const KeyDrop = ({ onFound, onNothing }: KeyDropProps) => {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setIsOver] = useState(false)
  const [problem, setProblem] = useState<KeyFileProblem | null>(null)

  const read = async (file: File | undefined) => {
    if (!file) return
    setProblem(null)
    const reading =
      file.size > maxKeyFileBytes
        ? ({ problem: 'too large' } as const)
        : await readKeyFile(new Uint8Array(await file.arrayBuffer()))
    // Allows choosing the same file again after fixing it.
    if (input.current) input.current.value = ''
    if ('found' in reading) return onFound(reading.found)
    setProblem(reading.problem)
    onNothing()
  }
  const over = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(true)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    void read(event.dataTransfer.files[0])
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is optional; the button works for everyone
    <div
      onDragOver={over}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
      className={classes(
        'grid justify-items-center gap-2 rounded-surface border border-dashed px-4 py-5 text-center',
        isOver ? 'border-ink bg-sunken' : 'border-control',
      )}
    >
      <FileKey2 aria-hidden size={20} className="text-muted" />
      <p className="text-small">{words.drop}</p>
      <Button aria-describedby={`${id}-hint ${id}-problem`} onClick={() => input.current?.click()}>
        {words.choose}
      </Button>
      <input
        ref={input}
        type="file"
        aria-label={words.label}
        tabIndex={-1}
        className="sr-only"
        onChange={({ target }) => void read(target.files?.[0])}
      />
      <p id={`${id}-hint`} className="text-muted text-small">
        {words.hint}
      </p>
      <p id={`${id}-problem`} role="alert" className="font-semibold text-bad text-small empty:hidden">
        {problem && words.problems[problem]}
      </p>
    </div>
  )
}
