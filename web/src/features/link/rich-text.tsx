import { Fragment, type ReactNode } from 'react'

// Two private-use characters, which no message contains.
const first = '\uE000'
const second = '\uE001'

interface RichTextProps {
  /** A message with one or two values. */
  message: (first: string, second: string) => string
  parts: readonly [first: ReactNode, second?: ReactNode]
}

/** A message with elements as values, keeping words and order in the message file. */
export const RichText = ({ message, parts }: RichTextProps) =>
  message(first, second)
    .split(/([\uE000\uE001])/)
    .map((piece, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other identity
      <Fragment key={index}>{piece === first ? parts[0] : piece === second ? parts[1] : piece}</Fragment>
    ))
