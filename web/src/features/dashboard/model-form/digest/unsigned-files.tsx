import { modelForm } from '#messages/dashboard/model-form.ts'
import type { FileDifferences } from './digest-signed.ts'

const words = modelForm.unsigned
const shown = 20

/** The files that differ from those a bundle signs. */
export const UnsignedFiles = ({ differences: { changed, missing, extra } }: { differences: FileDifferences }) => {
  const lines = [...changed.map(words.changed), ...missing.map(words.missing), ...extra.map(words.extra)]
  return (
    <div role="alert" className="border-bad border-s-4 py-2 ps-4 text-small">
      <p className="font-semibold">{words.heading}</p>
      <ul className="mt-2 break-all">
        {lines.slice(0, shown).map((line) => (
          <li key={line}>
            <bdi>{line}</bdi>
          </li>
        ))}
        {lines.length > shown && <li>{words.more}</li>}
      </ul>
      <p className="mt-2">{words.next}</p>
    </div>
  )
}
