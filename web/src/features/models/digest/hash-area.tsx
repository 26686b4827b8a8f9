import { limits } from '@countersign/sdk/contract'
import { type ComponentProps, type DragEvent, type ReactNode, useId, useRef, useState } from 'react'
import { hashing as words } from '#messages/hashing.ts'
import { classes } from '../../../ui/classes.ts'
import { Button } from '../../../ui/controls/button.tsx'
import type { Chosen, DigestRefusal } from './digest.ts'
import { chosenFiles, takeDropped } from './digest-choice.ts'
import type { useHashing } from './use-hashing.ts'

const refusalOf = (refusal: DigestRefusal): string => {
  if ('name' in refusal) return words.failed[refusal.reason](refusal.name)
  return refusal.reason === 'tooMany' ? words.failed.tooMany(limits.modelFiles) : words.failed[refusal.reason]
}

/** Where people drop or choose the files of a model, and see how far hashing is. */
export const HashArea = ({
  hashing: { progress, refusal, begin, stop },
}: {
  hashing: ReturnType<typeof useHashing>
}) => {
  const id = useId()
  const choose = (chosen: Chosen | undefined) => chosen && void begin(chosen)
  return (
    <>
      <DropArea onDrop={(read) => void read().then(choose)}>
        {progress === undefined ? (
          <div className="flex flex-wrap items-center justify-center gap-3">
            <span className="text-muted text-small">{words.drop}</span>
            <FileButton label={words.choosingFiles} multiple onFiles={(files) => choose(chosenFiles(files))}>
              {words.chooseFile}
            </FileButton>
            <FileButton label={words.choosingFolder} webkitdirectory="" onFiles={(files) => choose(chosenFiles(files))}>
              {words.chooseFolder}
            </FileButton>
          </div>
        ) : (
          <div className="grid gap-3">
            <p className="break-words text-small" id={id}>
              {words.hashing(progress.file)}
            </p>
            <progress
              aria-labelledby={id}
              className="w-full accent-ink"
              max={Math.max(progress.total, 1)}
              value={progress.bytes}
            />
            <div className="flex flex-wrap items-center justify-between gap-3 text-muted text-small">
              <span>{words.progress(progress.bytes, progress.total)}</span>
              <Button onClick={stop}>{words.stop}</Button>
            </div>
          </div>
        )}
      </DropArea>
      <p role="alert" className="font-semibold text-bad text-small empty:hidden">
        {refusal && refusalOf(refusal)}
      </p>
    </>
  )
}

const DropArea = ({
  onDrop,
  children,
}: {
  onDrop: (read: () => Promise<Chosen | undefined>) => void
  children: ReactNode
}) => {
  const [isOver, setIsOver] = useState(false)
  const over = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(true)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is optional; the buttons do the same
    <div
      onDragOver={over}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setIsOver(false)
        onDrop(takeDropped(event.dataTransfer))
      }}
      className={classes(
        'rounded-surface border border-dashed p-5',
        isOver ? 'border-ink bg-sunken' : 'border-control',
      )}
    >
      {children}
    </div>
  )
}

interface FileButtonProps extends Omit<ComponentProps<'input'>, 'type' | 'onChange' | 'className' | 'ref'> {
  label: string
  webkitdirectory?: string
  onFiles: (files: File[]) => void
}

/** The browser's own file input can't be labelled, so a button opens it. */
const FileButton = ({ label, onFiles, children, ...rest }: FileButtonProps) => {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        {...rest}
        ref={input}
        type="file"
        aria-label={label}
        tabIndex={-1}
        className="sr-only"
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])])
          target.value = ''
        }}
      />
      <Button onClick={() => input.current?.click()}>{children}</Button>
    </>
  )
}
