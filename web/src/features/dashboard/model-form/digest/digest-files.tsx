import { modelForm } from '#messages/dashboard/model-form.ts'
import { formatBytes } from '#messages/site.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import type { ModelContent } from '../use-model-form.ts'

const words = modelForm.digest
/** Shows only the first ones; all are registered. */
const shown = 50

/** The files that a digest was computed from. */
export const DigestFiles = ({ content, onForget }: { content: ModelContent; onForget: () => void }) => (
  <div>
    {content.leftOut.length > 0 && (
      <p className="mb-2 text-muted text-small">{words.leftOut(content.leftOut.join(', '))}</p>
    )}
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling list must be reachable by keyboard */}
    {/* biome-ignore lint/a11y/useSemanticElements: it is not part of the document's structure */}
    <div role="region" aria-label={words.files} tabIndex={0} className="max-h-72 overflow-auto border-line border-y">
      <table className="w-full text-small">
        <thead>
          <tr className="text-start text-muted">
            <th scope="col" className="py-2 pe-4 text-start font-normal">
              {words.name}
            </th>
            <th scope="col" className="py-2 pe-4 text-end font-normal">
              {words.size}
            </th>
            <th scope="col" className="whitespace-nowrap py-2 text-start font-normal">
              {words.sha256}
            </th>
          </tr>
        </thead>
        <tbody>
          {content.files.slice(0, shown).map(({ name, size, sha256 }) => (
            <tr key={name} className="border-line border-t">
              <td className="break-all py-1.5 pe-4">
                <bdi>{name}</bdi>
              </td>
              <td className="whitespace-nowrap py-1.5 pe-4 text-end">{formatBytes(size)}</td>
              <td className="whitespace-nowrap py-1.5 font-mono" title={sha256}>
                {sha256.slice(0, 12)}…
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
    {content.files.length > shown && (
      <p className="mt-2 text-muted text-small">{words.more(content.files.length - shown)}</p>
    )}
    <Button className="mt-3" onClick={onForget}>
      {words.remove}
    </Button>
  </div>
)
