import type { Model, VerificationResult } from '@countersign/sdk/contract'
import { isShown, linkTones, modelTitle, notesOf, quote } from '@countersign/sdk/words'
import { Link } from 'react-router-dom'
import { SWRConfig } from 'swr'
import { modelParts } from '#messages/pages/model-parts.ts'
import { formatTime, site } from '#messages/site.ts'
import { versionName } from '#messages/version-name.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Dialog } from '../../../ui/controls/dialog.tsx'
import { Spinner } from '../../../ui/controls/spinner.tsx'
import { KeyFact, KeyFacts } from '../../../ui/layout/facts.tsx'
import { StatusChip, type Tone, VerdictRule } from '../../../ui/values/status-chip.tsx'
import { useLinkAnswer } from '../../link/answer/link-answer.ts'
import { useNow } from '../../link/answer/use-now.ts'
import { readVerdict, type Verdict } from '../../link/answer/verdict.ts'
import { PhraseBox } from '../../link/details/chat-match.tsx'

const words = modelParts.conversation
const freshCache = { provider: () => new Map() }

interface ConversationDialogProps {
  /** A link, its code or its token; `demo` for the demo chat's simulation. */
  token: string
  /** The model's name in the address, which anyone can write. */
  named: string | null
  model: Model
  onClose: () => void
}

/** What a link from a chat shows about this page's model. */
export const ConversationDialog = ({ token, named, model, onClose }: ConversationDialogProps) => (
  <Dialog isOpen onClose={onClose} title={words.title}>
    {token === 'demo' ? (
      <Simulation model={model} onClose={onClose} />
    ) : (
      // An answer from a minute ago must not be shown as current.
      <SWRConfig value={freshCache}>
        <Checked token={token} named={named} model={model} onClose={onClose} />
      </SWRConfig>
    )}
  </Dialog>
)

const Simulation = ({ model, onClose }: Pick<ConversationDialogProps, 'model' | 'onClose'>) => (
  <div data-verdict="simulation">
    <VerdictRule tone="unk" />
    <p className="mt-4">
      <StatusChip tone="unk">{words.simulation}</StatusChip>
    </p>
    <p className="mt-3">
      <bdi>{words.simulated(quote(model.display_name))}</bdi>
    </p>
    <p className="mt-2 text-muted text-small">{words.simulatedNote}</p>
    <Actions onClose={onClose} />
  </div>
)

const Checked = ({ token, named, model, onClose }: ConversationDialogProps) => {
  const { answer, failure, isAsking, ask } = useLinkAnswer(token)
  const now = useNow(answer)
  if (answer === undefined && failure === undefined) return <Spinner>{words.checking}</Spinner>
  const verdict = readVerdict(answer, now)
  const { outcome, tone, label, sentence } = describeVerdict(verdict, model)
  const isOpen = outcome === 'unknown'
  return (
    <div data-verdict={outcome}>
      <VerdictRule tone={tone} />
      <div role="status">
        <p className="mt-4">
          <StatusChip tone={tone}>{label}</StatusChip>
        </p>
        <p className="mt-3 font-semibold">
          <bdi>{sentence}</bdi>
        </p>
      </div>
      {isNamedOtherwise(named, model) && <p className="mt-2 text-small">{words.named(quote(named ?? ''))}</p>}
      {verdict.record !== null && (outcome === 'verified' || outcome === 'provider_only' || outcome === 'genuine') && (
        <Facts record={verdict.record} domain={verdict.domain} />
      )}
      <p className="mt-4 text-muted text-small">{words.limits}</p>
      <Actions onClose={onClose} token={token}>
        {isOpen && (
          <Button aria-disabled={isAsking} onClick={() => isAsking || ask()}>
            {site.failure.again}
          </Button>
        )}
      </Actions>
    </div>
  )
}

type Outcome = 'verified' | 'provider_only' | 'genuine' | 'other-model' | 'refused' | 'unknown'

const describeVerdict = (
  verdict: Verdict,
  model: Model,
): { outcome: Outcome; tone: Tone; label: string; sentence: string } => {
  const { state, record, domain } = verdict
  if (isShown(state) && record?.model?.id !== model.id)
    return { outcome: 'other-model', tone: 'bad', label: words.otherModel, sentence: words.otherModelText }
  if ((state === 'verified' || state === 'provider_only') && record && domain !== null) {
    const texts = words[state]
    return {
      outcome: state,
      tone: linkTones[state],
      label: texts.label,
      sentence: texts.text(domain, quote(modelTitle(record))),
    }
  }
  if (state === 'provider_unverified' || state === 'domain_stale')
    return { outcome: 'genuine', tone: 'warn', label: words.genuine, sentence: words.genuineText }
  if (state === 'could_not_check')
    return { outcome: 'unknown', tone: 'unk', label: words.unknown, sentence: words.unknownText }
  const sentence = state === 'expired' ? words.expiredText : words.refusedText
  return { outcome: 'refused', tone: linkTones[state], label: words.refused, sentence }
}

const isNamedOtherwise = (named: string | null, { id, display_name, model_name, api_model_identifier }: Model) =>
  named !== null && named !== '' && ![id, display_name, model_name, api_model_identifier].includes(named)

const Facts = ({ record, domain }: { record: VerificationResult; domain: string | null }) => (
  <>
    <PhraseBox record={record} domain={domain} />
    {notesOf(record).map((note) => (
      <p key={note} className="mt-3">
        <bdi>{note}</bdi>
      </p>
    ))}
    <KeyFacts>
      <KeyFact name={words.version}>{record.model && versionName(record.model.version)}</KeyFact>
      <KeyFact name={words.until} className="col-span-2">
        {formatTime(record.expires_at)}
      </KeyFact>
    </KeyFacts>
  </>
)

const Actions = ({ onClose, token, children }: { onClose: () => void; token?: string; children?: React.ReactNode }) => (
  <div className="mt-6 flex flex-wrap justify-end gap-3">
    {children}
    <Button onClick={onClose}>{words.close}</Button>
    {token !== undefined && (
      <Button asChild look="primary">
        <Link to={`/v/${encodeURIComponent(token)}`}>{words.record}</Link>
      </Button>
    )}
  </div>
)
