import type { IssuedVerification } from '@countersign/sdk/contract'
import { quote } from '@countersign/sdk/words'
import { Link } from 'react-router-dom'
import { verificationsTab } from '#messages/dashboard/verifications.ts'
import { formatTime } from '#messages/site.ts'
import { CopyButton } from '../../../ui/controls/copy-button.tsx'
import { Dialog } from '../../../ui/controls/dialog.tsx'
import { FactRow, FactRows } from '../../../ui/layout/facts.tsx'
import { InlineCode } from '../../../ui/values/inline-code.tsx'
import { StatusChip } from '../../../ui/values/status-chip.tsx'
import { describeState, titleOf } from './link-columns.tsx'

const words = verificationsTab
const { details } = words

interface LinkDetailsProps {
  link: IssuedVerification
  now: number
  onClose: () => void
}

/** All that the provider knows about a link. */
export const LinkDetails = ({ link, now, onClose }: LinkDetailsProps) => {
  const { id, deployment_id, deployment_binding, opened_at, opened_count, user_fp, metadata, challenge, origin } = link
  const { tone, text, until } = describeState(link, now)
  return (
    <Dialog isOpen onClose={onClose} title={details.title} description={words.issued(formatTime(link.issued_at))}>
      <FactRows>
        <FactRow name={words.columns.model}>
          <Link to={`/models/${link.model_id}`} className="link wrap-anywhere">
            {titleOf(link)}
          </Link>
        </FactRow>
        <FactRow name={words.columns.state}>
          <StatusChip tone={tone}>{text}</StatusChip>
          <p className="mt-1 text-muted text-small">{until}</p>
        </FactRow>
        <FactRow name={words.columns.deployment}>
          {deployment_id === null ? (
            words.deployment.none
          ) : (
            <>
              <InlineCode>{deployment_id}</InlineCode>
              {deployment_binding !== null && (
                <p className="text-muted text-small">{words.deployment.proven[deployment_binding]}</p>
              )}
            </>
          )}
        </FactRow>
        <FactRow name={words.columns.opened}>
          {opened_at === null
            ? words.opened.never
            : `${words.opened.often(opened_count)}. ${words.opened.first(formatTime(opened_at))}`}
        </FactRow>
        {challenge !== null && <FactRow name={details.challenge}>{quote(challenge)}</FactRow>}
        {origin !== null && <FactRow name={details.origin}>{origin}</FactRow>}
        {link.bound_to_response && <FactRow name={details.answer}>{words.bound}</FactRow>}
        <FactRow name={words.id}>
          <span className="-my-2 flex items-center justify-between gap-2">
            <InlineCode>{id}</InlineCode>
            <CopyButton text={id} what={words.id} />
          </span>
        </FactRow>
        {user_fp !== null && (
          <FactRow name={words.user}>
            <InlineCode>{user_fp}</InlineCode>
          </FactRow>
        )}
        {metadata !== null && (
          <FactRow name={words.metadata}>
            <InlineCode>{JSON.stringify(metadata)}</InlineCode>
          </FactRow>
        )}
      </FactRows>
    </Dialog>
  )
}
