import { Fragment, type ReactNode } from 'react'

// Two characters of the private use area, which no message has.
const first = '\uE000'
const second = '\uE001'

interface RichTextProps {
  /** A message of one or two values. */
  message: (first: string, second: string) => string
  parts: readonly [first: ReactNode, second?: ReactNode]
}

/** A message whose values are elements: its words and their order stay in the catalogue. */
export const RichText = ({ message, parts }: RichTextProps) =>
  message(first, second)
    .split(/([\uE000\uE001])/)
    .map((piece, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place
      <Fragment key={index}>{piece === first ? parts[0] : piece === second ? parts[1] : piece}</Fragment>
    ))
