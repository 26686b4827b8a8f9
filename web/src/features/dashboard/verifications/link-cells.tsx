import type { IssuedVerification } from '@countersign/sdk/contract'
import { isShown, linkTones, linkWords, quote } from '@countersign/sdk/words'
import { Link } from 'react-router-dom'
import { verificationsTab } from '#messages/dashboard/verifications.ts'
import { formatTime } from '#messages/site.ts'
import { Cell } from '../../../lists/list-table.tsx'
import { Chip } from '../../../ui/values/chip.tsx'
import { InlineCode } from '../../../ui/values/inline-code.tsx'
import { StatusChip } from '../../../ui/values/status-chip.tsx'
import { stateOf } from './link-state.ts'

const words = verificationsTab

/** A link: its model, deployment, expiry, and whether it was opened. */
export const LinkCells = ({ link, now }: { link: IssuedVerification; now: number }) => {
  const { model_id, model_name, model_version, deployment_id, deployment_binding, opened_at, opened_count } = link
  return (
    <>
      <Cell>
        <Link to={`/models/${model_id}`} className="link wrap-anywhere font-semibold">
          {words.version(model_name, model_version)}
        </Link>
        <p className="mt-1 text-muted">{words.issued(formatTime(link.issued_at))}</p>
      </Cell>
      <Cell>
        {deployment_id === null ? (
          <p className="text-muted">{words.deployment.none}</p>
        ) : (
          <>
            <p className="break-all">
              <InlineCode>{deployment_id}</InlineCode>
            </p>
            {deployment_binding !== null && (
              <p className="mt-1 text-muted">{words.deployment.proven[deployment_binding]}</p>
            )}
          </>
        )}
      </Cell>
      <Cell>
        <LinkState link={link} now={now} />
        {link.bound_to_response && (
          <p className="mt-1">
            <Chip>{words.bound}</Chip>
          </p>
        )}
        {link.challenge !== null && (
          <p className="mt-1 wrap-anywhere text-muted">{words.challenge(quote(link.challenge))}</p>
        )}
        {link.origin !== null && <p className="mt-1 break-all text-muted">{words.origin(link.origin)}</p>}
      </Cell>
      <Cell>
        {opened_at === null ? (
          <p className="text-muted">{words.opened.never}</p>
        ) : (
          <>
            <p>{words.opened.often(opened_count)}</p>
            <p className="mt-1 text-muted">{words.opened.first(formatTime(opened_at))}</p>
          </>
        )}
        <More link={link} />
      </Cell>
    </>
  )
}

/** What visitors see now, and until when. */
const LinkState = ({ link, now }: { link: IssuedVerification; now: number }) => {
  const { outcome, change } = stateOf(link, now)
  const isGood = isShown(outcome)
  const until = formatTime(link.expires_at)
  return (
    <>
      <StatusChip tone={outcome === 'expired' ? 'unk' : linkTones[outcome]}>
        {(change && words.changes[change]) ?? words.states[outcome] ?? linkWords.bands[outcome]}
      </StatusChip>
      <p className="mt-1 text-muted">
        {isGood
          ? words.state.expires(until)
          : Date.parse(link.expires_at) <= now
            ? words.state.expired(until)
            : words.state.wouldHave(until)}
      </p>
    </>
  )
}

/** Shown only to the provider. */
const More = ({ link: { id, user_fp, metadata } }: { link: IssuedVerification }) => (
  <details className="mt-1">
    <summary className="w-fit cursor-pointer py-1 text-muted" aria-label={words.moreOf(id)}>
      {words.more}
    </summary>
    <dl className="mt-1 grid gap-2 break-all border-line border-s-2 ps-3">
      <Fact name={words.id} value={id} />
      {user_fp !== null && <Fact name={words.user} value={user_fp} />}
      {metadata !== null && <Fact name={words.metadata} value={JSON.stringify(metadata)} />}
    </dl>
  </details>
)

const Fact = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt className="text-muted">{name}</dt>
    <dd>
      <InlineCode>{value}</InlineCode>
    </dd>
  </div>
)
