import type { Block as BlockContent } from '../../../messages/blocks.ts'
import { computed } from '../reference/computed-tables.tsx'
import { Endpoints } from '../reference/endpoints.tsx'
import { CodeSample } from './code-sample.tsx'
import { InlineText } from './inline-text.tsx'
import { Table } from './table.tsx'

export const Block = ({ content }: { content: BlockContent }) => {
  if (typeof content === 'string')
    return (
      <p className="my-4 max-w-prose">
        <InlineText text={content} />
      </p>
    )
  if ('heading' in content)
    return (
      <h3
        id={content.id}
        tabIndex={-1}
        className="mt-10 scroll-mt-20 font-semibold text-body outline-none md:scroll-mt-6"
      >
        {content.heading}
      </h3>
    )
  if ('list' in content)
    return (
      <ul className="my-4 flex max-w-prose list-disc flex-col gap-2 ps-5 marker:text-muted">
        {content.list.map((item) => (
          <li key={item}>
            <InlineText text={item} />
          </li>
        ))}
      </ul>
    )
  if ('steps' in content)
    return (
      <ol className="my-4 flex max-w-prose list-decimal flex-col gap-2 ps-6 marker:font-semibold">
        {content.steps.map((item) => (
          <li key={item}>
            <InlineText text={item} />
          </li>
        ))}
      </ol>
    )
  if ('note' in content)
    return (
      <p className="my-6 max-w-prose border-control border-s-4 bg-sunken px-4 py-3">
        <InlineText text={content.note} />
      </p>
    )
  if ('sample' in content) return <CodeSample topic={content.sample} caption={content.caption} />
  if ('endpoints' in content) return <Endpoints names={content.endpoints} />
  if ('computed' in content) {
    const Computed = computed[content.computed]
    return <Computed />
  }
  return <Table heads={content.heads} rows={content.rows} />
}
