import { quote } from '@countersign/sdk/words'
import type { ReactNode } from 'react'

/**
 * Several lines that a company wrote. The label stays in view, and each line has a rule and a type of its own, so that none looks like the
 * page's words.
 */
export const QuotedText = ({ label, text }: { label: ReactNode; text: string }) => (
  <div>
    <div className="sticky top-0 bg-bg py-1">{label}</div>
    <blockquote className="max-w-prose whitespace-pre-line border-control border-s-4 ps-4 text-muted italic">
      <bdi>{`“${plainLines(text)}”`}</bdi>
    </blockquote>
  </div>
)

/** Without pictures, such as check marks. Texts from before the registry removed them may have many empty lines. */
const plainLines = (text: string) =>
  text
    .split('\n')
    .map((line) => quote(line).slice(1, -1))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
