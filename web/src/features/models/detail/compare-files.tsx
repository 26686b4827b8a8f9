import { limits, type ModelFile } from '@countersign/sdk/contract'
import { useState } from 'react'
import { modelParts } from '#messages/pages/model-parts.ts'
import { client } from '../../../data/client.ts'
import { Section } from '../../../ui/layout/section.tsx'
import { StatusChip } from '../../../ui/values/status-chip.tsx'
import { type ComparedFile, type Comparison, compareDigest } from '../digest/compare-digest.ts'
import { HashArea } from '../digest/hash-area.tsx'
import { useHashing } from '../digest/use-hashing.ts'

const words = modelParts.compare
const tones = { same: 'ok', part: 'ok', renamed: 'warn', unnamed: 'warn', different: 'bad', unlisted: 'bad' } as const
const mostShown = 50

interface Shown extends Comparison {
  kind: 'file' | 'directory'
  /** Paths that were not compared. */
  leftOut: string
}

/** Compares a file or folder of the visitor's with the version. It is hashed in the browser and not uploaded. */
export const CompareFiles = ({ modelId, digest }: { modelId: string; digest: string }) => {
  const [comparison, setComparison] = useState<Shown | 'failed'>()
  const hashing = useHashing(async (hashed) => {
    setComparison(undefined)
    const registered = await client.models
      .files(modelId, { limit: limits.maxFilePageSize })
      .toArray()
      .catch((): ModelFile[] | undefined => undefined)
    setComparison(
      registered === undefined
        ? 'failed'
        : { ...compareDigest(hashed, digest, registered), kind: hashed.kind, leftOut: hashed.leftOut.join(', ') },
    )
  })
  const isShown = hashing.progress === undefined && hashing.refusal === undefined && !hashing.isStopped
  return (
    <Section heading={words.heading}>
      <div className="grid gap-4 print:hidden">
        <p>{words.text}</p>
        <HashArea hashing={hashing} />
        <div role="status" className="empty:hidden">
          {hashing.isStopped && words.stopped}
          {isShown && comparison !== undefined && <Result comparison={comparison} />}
        </div>
      </div>
    </Section>
  )
}

const Result = ({ comparison }: { comparison: Shown | 'failed' }) => {
  if (comparison === 'failed') return <p className="font-semibold text-bad text-small">{words.failed}</p>
  const { result, files, kind, leftOut } = comparison
  const rest = files.length - mostShown
  return (
    <>
      <StatusChip tone={tones[result]}>{words.results[result]}</StatusChip>
      <p className="mt-1">{result === 'same' && kind === 'directory' ? words.compared : words.means[result]}</p>
      {leftOut !== '' && <p className="mt-1">{words.leftOut(leftOut)}</p>}
      {kind === 'directory' && tones[result] === 'ok' && <p className="mt-1">{words.symbolicLinks}</p>}
      {files.length > 0 && (
        <ul className="mt-3 border-line border-t">
          {files.slice(0, mostShown).map((file) => (
            <FileRow key={file.name} file={file} />
          ))}
        </ul>
      )}
      {rest > 0 && <p className="mt-2 text-muted text-small">{words.more(rest)}</p>}
    </>
  )
}

const FileRow = ({ file }: { file: ComparedFile }) => (
  <li className="grid gap-x-4 gap-y-1 border-line border-b py-2.5 text-small sm:grid-cols-[8.5rem_1fr]">
    <div>
      <StatusChip tone={tones[file.result]}>{words.results[file.result]}</StatusChip>
    </div>
    <div className="min-w-0 break-words">
      <bdi className="font-semibold">{file.name}</bdi>
      {file.result === 'same' && file.registered !== file.name && (
        <span className="text-muted"> {words.registeredAs(file.registered)}</span>
      )}
    </div>
  </li>
)
