import { quoteFile } from '@countersign/sdk/words'
import { modelParts } from '#messages/pages/model-parts.ts'
import { formatBytes } from '#messages/site.ts'
import { Failed } from '../../../failures/failed.tsx'
import { LoadMore } from '../../../lists/load-more.tsx'
import { CopyButton } from '../../../ui/controls/copy-button.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { InlineCode } from '../../../ui/values/inline-code.tsx'
import { useModelFiles } from './use-model-files.ts'

const words = modelParts.files

/** The files that make up the model's digest. */
export const FileList = ({ modelId, digest }: { modelId: string; digest: string }) => {
  const { items, failure, hasMore, isLoadingMore, loadMore, again } = useModelFiles(modelId, digest)
  return (
    <Section heading={words.heading}>
      {items?.length === 0 && <p className="text-muted">{words.none}</p>}
      {items !== undefined && items.length > 0 && (
        <>
          <p className="mb-3 text-muted text-small">{words.stated}</p>
          <ul className="border-line border-t">
            {items.map(({ name, size, sha256 }) => (
              <li key={name} className="border-line border-b py-2.5">
                <div className="flex flex-wrap justify-between gap-x-4">
                  <bdi className="font-semibold text-small">{quoteFile(name)}</bdi>
                  <span className="text-muted text-small">{formatBytes(size)}</span>
                </div>
                <div className="flex items-center gap-1">
                  <InlineCode>{sha256}</InlineCode>
                  <CopyButton text={sha256} what={`${words.sha256}, ${quoteFile(name)}`} />
                </div>
              </li>
            ))}
          </ul>
        </>
      )}
      {failure !== undefined && <Failed failure={failure} again={again} />}
      {hasMore && failure === undefined && (
        <LoadMore isLoading={isLoadingMore} loadMore={loadMore} isByItself={false} />
      )}
    </Section>
  )
}
