import { Fragment } from 'react'
import { Link } from 'react-router-dom'
import { withOrigin } from './origin.ts'

const marks = /(`[^`]+`|\*\*[^*]+\*\*|\*[^*]+\*|\[[^\]]+\]\([^)]+\))/

/** Text with its code, links and bold words. */
export const InlineText = ({ text }: { text: string }) =>
  withOrigin(text)
    .split(marks)
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other identity
    .map((piece, index) => <Fragment key={index}>{index % 2 === 0 ? piece : <Marked text={piece} />}</Fragment>)

const Marked = ({ text }: { text: string }) => {
  if (text.startsWith('`'))
    return <code className="rounded-chip bg-sunken px-1 py-px font-mono text-[0.875em]">{text.slice(1, -1)}</code>
  if (text.startsWith('**')) return <strong className="font-semibold">{text.slice(2, -2)}</strong>
  if (text.startsWith('*')) return <em>{text.slice(1, -1)}</em>
  const [, words = '', to = ''] = /^\[(.+)\]\((.+)\)$/.exec(text) ?? []
  return /\.\w+$/.test(to) ? (
    <a href={to} className="link">
      {words}
    </a>
  ) : (
    <Link to={to} className="link">
      {words}
    </Link>
  )
}
