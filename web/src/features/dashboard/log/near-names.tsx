import type { NearName } from '@countersign/sdk/contract'
import { quote } from '@countersign/sdk/words'
import { Link } from 'react-router-dom'
import { logTab } from '#messages/dashboard/log.ts'
import { formatTime } from '#messages/site.ts'
import { client } from '../../../data/client.ts'
import { Failed } from '../../../failures/failed.tsx'
import { LoadMore } from '../../../lists/load-more.tsx'
import { useList } from '../../../lists/use-list.ts'
import { Section } from '../../../ui/layout/section.tsx'
import { InlineCode } from '../../../ui/values/inline-code.tsx'

const words = logTab.near

const shownName = (field: NearName['field'], text: string | null) => {
  if (text === null) return words.erased
  return field === 'domain' ? text : quote(text)
}

const useNearNames = () =>
  useList<NearName>(
    ['near-names'],
    async (cursor) => {
      const { names, next_cursor } = await client.log.near({ limit: 20, ...(cursor !== null && { cursor }) })
      return { items: names, cursor: next_cursor }
    },
    { isReloaded: true, isKept: true },
  )

/** Domains and names of other companies that people could mistake for the owner's. */
export const NearNames = () => {
  const list = useNearNames()
  if (list.items === undefined)
    return list.failure === undefined ? null : (
      <Section heading={words.heading}>
        <Failed heading={words.failed} failure={list.failure} again={list.again} />
      </Section>
    )
  const about = list.items.length > 0 ? words.what : list.hasMore ? words.older : words.none
  return (
    <Section heading={words.heading}>
      <p className="max-w-prose text-muted text-small">{about}</p>
      <p className="mt-1 max-w-prose text-muted text-small">
        {words.earlier} <InlineCode>{words.command}</InlineCode>
      </p>
      <ul className="mt-3 divide-y divide-line">
        {list.items.map(({ text, field, near, yours, provider_id, index, at }) => (
          <li key={`${index} ${field}`} className="grid gap-1 py-3">
            <p className="break-words">
              <bdi className="font-bold">{shownName(field, text)}</bdi>
            </p>
            <p className="break-words text-small">{words.why(words.fields[field], words.reasons[near], yours)}</p>
            <p className="flex flex-wrap gap-x-4 text-muted text-small">
              <span>{words.since(formatTime(at))}</span>
              <Link to={`/providers/${provider_id}`} className="link">
                {words.company}
              </Link>
              <a href={`/log/proof/${index}`} target="_blank" rel="noreferrer" className="link">
                {logTab.proof}
              </a>
            </p>
          </li>
        ))}
      </ul>
      {list.hasMore && <LoadMore isLoading={list.isLoadingMore} loadMore={list.loadMore} isByItself={false} />}
    </Section>
  )
}
