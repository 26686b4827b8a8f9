import { type ActorActivity, maxActs, type PastAct, type UndoObstacle } from '@countersign/sdk/contract'
import { quote } from '@countersign/sdk/words'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { activityTab } from '#messages/dashboard/activity.ts'
import { actsSection as words } from '#messages/dashboard/acts.ts'
import { formatTime } from '#messages/site.ts'
import { useMay } from '../../../../data/role.ts'
import { ConfirmDialog } from '../../../../forms/confirm-dialog.tsx'
import { useUrlChoice } from '../../../../hooks/use-url-choice.ts'
import { ChoiceBox } from '../../../../lists/list-bar.tsx'
import { Button } from '../../../../ui/controls/button.tsx'
import { toast } from '../../../../ui/controls/toast.ts'
import { Section } from '../../../../ui/layout/section.tsx'
import { InlineCode } from '../../../../ui/values/inline-code.tsx'
import { changesOf, describeEvent } from '../../activity/sentence.ts'
import { useRoleWords } from '../../shared/allowed.tsx'
import { addressOf } from '../../shared/tab-names.ts'
import { SectionBody } from '../section-body.tsx'
import { useOwnActs } from './own-acts.ts'

const periods = ['7', '1', '30'] as const
const shownAtFirst = 20

interface Undoing {
  actor: string
  name: string
  events: string[]
}

/** What was done without presence, by key, session and job, and undoing it. */
export const ActsSection = () => {
  const may = useMay()
  const roleWords = useRoleWords()
  if (may('activity.list')) return <OwnActs />
  return (
    <Section heading={words.label} className="mt-8">
      <p className="max-w-prose text-muted text-small">{roleWords('activity.list')}</p>
    </Section>
  )
}

const OwnActs = () => {
  const [days, chooseDays] = useUrlChoice('days', periods)
  const own = useOwnActs(Number(days))
  const [undoing, setUndoing] = useState<Undoing | null>(null)
  const undo = async ({ actor, events }: Undoing) => {
    const { undone, acts } = await own.undo(actor, events)
    const told = words.dialog.done(undone, acts.length)
    if (undone === acts.length) toast.success(told)
    else toast.error(told)
  }
  return (
    <Section heading={words.label} className="mt-8">
      <p className="max-w-prose text-muted text-small">{words.about}</p>
      <div className="mt-5">
        <ChoiceBox
          label={words.period}
          value={days}
          choices={(['1', '7', '30'] as const).map((value) => ({ value, name: words.periods[value] }))}
          choose={chooseDays}
        />
      </div>
      <div className="mt-5">
        <SectionBody data={own.activity} failure={own.failure} failed={words.failed} again={own.again}>
          {({ actors, has_more, links_are_lower_bounds }) => (
            <>
              {actors.length === 0 && <p className="border-line border-y py-4 text-small">{words.none}</p>}
              {has_more && <p className="mb-5 text-small">{words.older}</p>}
              {actors.map((each) => (
                <Actor
                  key={each.actor}
                  activity={each}
                  isCurrent={each.actor === own.currentSession}
                  areLinksLowerBounds={links_are_lower_bounds}
                  kept={own.kept}
                  onUndo={setUndoing}
                />
              ))}
            </>
          )}
        </SectionBody>
      </div>
      {undoing && (
        <ConfirmDialog
          title={words.dialog.title(undoing.events.length, undoing.name)}
          description={words.dialog.description}
          action={words.dialog.action}
          doing={words.dialog.doing}
          act={() => undo(undoing)}
          onClose={() => setUndoing(null)}
        />
      )}
    </Section>
  )
}

const nameOf = ({ kind, name, actor }: ActorActivity) =>
  words.named(words.actors[kind], name === null ? actor : kind === 'key' ? quote(name) : name)

interface ActorProps {
  activity: ActorActivity
  isCurrent: boolean
  areLinksLowerBounds: boolean
  kept: ReadonlyMap<string, UndoObstacle>
  onUndo: (undoing: Undoing) => void
}

const Actor = ({ activity, isCurrent, areLinksLowerBounds, kept, onUndo }: ActorProps) => {
  const { actor, kind, acts, links } = activity
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const [isWhole, setIsWhole] = useState(false)
  const name = nameOf(activity)
  const open = acts.filter(({ undo }) => undo !== null).map(({ event_id }) => event_id)
  // Clear the choice of the acts that were tried.
  const chosen = open.filter((id) => ticked.has(id) && !kept.has(id))
  const isAll = open.length > 0 && chosen.length === open.length
  const tick = (id: string) => {
    const next = new Set(ticked)
    if (!next.delete(id)) next.add(id)
    setTicked(next)
  }
  const shown = isWhole ? acts : acts.slice(0, shownAtFirst)
  return (
    <section aria-label={name} className="mb-8 border-line border-t pt-4">
      <h3 className="wrap-anywhere font-semibold">{name}</h3>
      <p className="wrap-anywhere text-muted text-small">
        {isCurrent && `${words.thisBrowser} · `}
        <InlineCode>{actor}</InlineCode>{' '}
        {kind !== 'job' && (
          <Link className="link" to={`${addressOf('settings')}&section=${kind === 'key' ? 'keys' : 'sessions'}`}>
            {kind === 'key' ? words.openKeys : words.openSessions}
          </Link>
        )}
      </p>
      {links !== null && links > 0 && (
        <p className="mt-1 max-w-prose text-small">
          {words.links(links, areLinksLowerBounds)} {words.linksHint}
        </p>
      )}
      {open.length > 1 && (
        <label className="mt-3 flex min-h-10 w-fit items-center gap-3 text-small">
          <input
            type="checkbox"
            aria-label={words.all(name)}
            checked={isAll}
            onChange={() => setTicked(isAll ? new Set() : new Set(open))}
            className="size-4 shrink-0 accent-ink"
          />
          {words.choose}
        </label>
      )}
      {acts.length > 0 && (
        <ul aria-label={name} className="mt-2 border-line border-b">
          {shown.map((act) => (
            <ActRow
              key={act.event_id}
              act={act}
              kept={kept.get(act.event_id)}
              isTicked={chosen.includes(act.event_id)}
              onTick={() => tick(act.event_id)}
            />
          ))}
        </ul>
      )}
      {shown.length < acts.length && (
        <Button className="mt-3" onClick={() => setIsWhole(true)}>
          {words.more(acts.length - shown.length)}
        </Button>
      )}
      {chosen.length > 0 && (
        <div className="mt-4 flex flex-wrap items-center gap-3 text-small">
          <Button
            aria-haspopup="dialog"
            onClick={() => onUndo({ actor, name, events: chosen.slice(0, maxActs.undone) })}
          >
            {words.undo(Math.min(chosen.length, maxActs.undone))}
          </Button>
          {chosen.length > maxActs.undone && <p className="text-muted">{words.most(maxActs.undone)}</p>}
        </div>
      )}
    </section>
  )
}

interface ActRowProps {
  act: PastAct
  kept: UndoObstacle | undefined
  isTicked: boolean
  onTick: () => void
}

/** The section names who did it. */
const withoutActor = { actor: 'registry', actor_name: null }

const ActRow = ({ act, kept, isTicked, onTick }: ActRowProps) => {
  const { at, undo, obstacle } = act
  const why = obstacle ?? kept
  const text = (
    <span className="grid min-w-0 gap-1">
      <span className="wrap-anywhere">{describeEvent({ ...act, ...withoutActor })}</span>
      <span className="wrap-anywhere text-muted">
        {formatTime(at)} · {why ? words.obstacles[why] : undo && words.kinds[undo]}
      </span>
    </span>
  )
  return (
    <li className="border-line border-t text-small">
      {undo === null ? (
        <div className="py-3 ps-7">{text}</div>
      ) : (
        <label className="flex items-start gap-3 py-3">
          <input type="checkbox" checked={isTicked} onChange={onTick} className="mt-0.5 size-4 shrink-0 accent-ink" />
          {text}
        </label>
      )}
      <Changes act={act} />
    </li>
  )
}

const Changes = ({ act }: { act: PastAct }) => {
  const changes = changesOf(act)
  if (changes.length === 0) return null
  return (
    <details className="ps-7 pb-3">
      <summary className="w-fit cursor-pointer text-muted">{words.changed}</summary>
      <dl className="mt-2 grid gap-2">
        {changes.map(({ field, before, after }) => (
          <div key={field} className="grid gap-x-4 border-line border-s-2 ps-3 sm:grid-cols-[12rem_1fr]">
            <dt className="break-all font-mono">{field}</dt>
            <dd className="min-w-0 wrap-anywhere">
              {act.before !== null && <span className="block text-muted">{activityTab.before(before)}</span>}
              <span className="block">{activityTab.after(after)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
