import { quote } from '@countersign/sdk/words'
import type { ReactNode } from 'react'

/** Several lines that a company wrote. */
export const QuotedText = ({ label, text }: { label: ReactNode; text: string }) => (
  <Quotation label={label}>{`“${plainLines(text)}”`}</Quotation>
)

const longest = 160

interface QuotedValuesProps {
  note: string
  /** Short values also have the note. */
  isNoted?: boolean
  texts: readonly string[]
}

/** One line or a list that a company wrote, each entry quoted. The note of a long one stays in view. */
export const QuotedValues = ({ note, isNoted = false, texts }: QuotedValuesProps) => {
  const quoted = texts.map(quote).join(', ')
  const label = <p className="text-muted text-small">{note}</p>
  if (quoted.length > longest) return <Quotation label={label}>{quoted}</Quotation>
  return (
    <>
      <bdi className="break-words">{quoted}</bdi>
      {isNoted && label}
    </>
  )
}

/** The label stays in view, and each line has a rule and a type of its own, so that none looks like the page's words. */
const Quotation = ({ label, children }: { label: ReactNode; children: string }) => (
  <div>
    <div className="sticky top-0 bg-bg py-1 in-[[role=dialog]]:bg-surface">{label}</div>
    <blockquote className="max-w-prose whitespace-pre-line border-control border-s-4 ps-4 text-muted italic">
      <bdi>{children}</bdi>
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
