import { limits } from '@countersign/sdk/contract'
import { quoteFile } from '@countersign/sdk/words'
import { useMemo, useState } from 'react'
import useSWR from 'swr'
import { modelParts } from '#messages/pages/model-parts.ts'
import { client } from '../../../data/client.ts'
import { useViewer } from '../../../data/session.ts'
import { currentOrNone } from '../../../failures/giving-up.ts'
import { Section } from '../../../ui/layout/section.tsx'
import { StatusChip } from '../../../ui/values/status-chip.tsx'
import { type ComparedFile, type Comparison, compareDigest } from '../digest/compare-digest.ts'
import type { HashedModel } from '../digest/digest.ts'
import { isFitBesideVerdict } from '../digest/fit-name.ts'
import { HashArea } from '../digest/hash-area.tsx'
import { useHashing } from '../digest/use-hashing.ts'

const words = modelParts.compare
const tones = { same: 'ok', part: 'ok', renamed: 'warn', unnamed: 'warn', different: 'bad', unlisted: 'bad' } as const
const mostShown = 50

/** Compares a file or folder of the visitor's with the version, again after an edit. It is hashed in the browser and not uploaded. */
export const CompareFiles = ({ modelId, digest }: { modelId: string; digest: string }) => {
  const [hashed, setHashed] = useState<HashedModel>()
  const viewer = useViewer()
  const {
    data: registered,
    error,
    mutate,
  } = useSWR(
    hashed && ['compared-files', modelId, digest, viewer],
    () => client.models.files(modelId, { limit: limits.maxFilePageSize }).toArray(),
    currentOrNone,
  )
  const hashing = useHashing((chosen) => {
    setHashed(chosen)
    void mutate()
  })
  const comparison = useMemo(
    () => hashed && registered && compareDigest(hashed, digest, registered),
    [hashed, digest, registered],
  )
  const isShown = hashing.progress === undefined && hashing.refusal === undefined && !hashing.isStopped
  return (
    <Section heading={words.heading}>
      <div className="grid gap-4 print:hidden">
        <p>{words.text}</p>
        <HashArea hashing={hashing} />
        <div role="status" className="empty:hidden">
          {hashing.isStopped && words.stopped}
          {isShown && error !== undefined && <p className="font-semibold text-bad text-small">{words.failed}</p>}
          {isShown && error === undefined && hashed && comparison && <Result hashed={hashed} comparison={comparison} />}
        </div>
      </div>
    </Section>
  )
}

const Result = ({ hashed: { kind, leftOut }, comparison }: { hashed: HashedModel; comparison: Comparison }) => {
  const { result, files } = comparison
  const rest = files.length - mostShown
  return (
    <>
      <StatusChip tone={tones[result]}>{words.results[result]}</StatusChip>
      <p className="mt-1">{result === 'same' && kind === 'directory' ? words.compared : words.means[result]}</p>
      {leftOut.length > 0 && <p className="mt-1">{words.leftOut(leftOut.join(', '))}</p>}
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
      {file.result === 'same' && file.registered === file.name && !isFitBesideVerdict(file.name) ? (
        words.unnamed
      ) : (
        <bdi className="font-semibold">{quoteFile(file.name)}</bdi>
      )}
      {file.result === 'same' && file.registered !== file.name && <RegisteredName name={file.registered} />}
    </div>
  </li>
)

/** The provider chose it, and it appears beside our verdict. */
const RegisteredName = ({ name }: { name: string }) => (
  <p className="text-muted">
    {isFitBesideVerdict(name) ? (
      <>
        {words.registeredAs} <bdi>{quoteFile(name)}</bdi>
      </>
    ) : (
      words.registeredOtherwise
    )}
  </p>
)
