import { type ReactNode, useState } from 'react'
import { challenge } from '#messages/pages/challenge.ts'
import { formatLocalTime, site } from '#messages/site.ts'
import { readOfTab, storeForTab } from '../../data/storage.ts'
import { useDocumentTitle } from '../../hooks/use-document-title.ts'
import { Button } from '../../ui/controls/button.tsx'
import { CopyButton } from '../../ui/controls/copy-button.tsx'
import { PageMain } from '../../ui/layout/page-main.tsx'
import { AnswerBox } from './answer-box.tsx'
import { ChallengeResult } from './challenge-result.tsx'
import { makePhrase } from './phrase.ts'

const words = challenge

interface Challenge {
  phrase: string
  madeAt: number
}

const makeChallenge = (): Challenge => {
  const made = { phrase: makePhrase(), madeAt: Date.now() }
  storeForTab('challenge', JSON.stringify(made))
  return made
}

/** As long as a link lasts. */
const lifetimeMs = 15 * 60_000

/** Survives a reload, because the AI already has the phrase, until it was used. */
const readChallenge = (): Challenge => {
  try {
    const saved: unknown = JSON.parse(readOfTab('challenge') ?? '')
    if (typeof saved === 'object' && saved !== null && 'phrase' in saved && 'madeAt' in saved) {
      const { phrase, madeAt } = saved
      const isKnown = typeof phrase === 'string' && typeof madeAt === 'number' && phrase !== ''
      if (isKnown && Math.abs(Date.now() - madeAt) < lifetimeMs) return { phrase, madeAt }
    }
  } catch {
    // Nothing stored, or not by us.
  }
  return makeChallenge()
}

export const ChallengePage = () => {
  useDocumentTitle(site.title(words.title))
  const [{ phrase, madeAt }, setChallenge] = useState(readChallenge)
  const [token, setToken] = useState<string | null>(null)
  const look = (found: string | null) => {
    // The AI that gave this link knows the phrase, so the next visit begins with another.
    if (found !== null) storeForTab('challenge', null)
    setToken(found)
  }
  const another = () => {
    setChallenge(makeChallenge())
    setToken(null)
  }
  const prompt = words.steps.prompt(phrase)

  return (
    <PageMain state="ready" className="mx-auto w-full max-w-record px-4 pt-12">
      <h1 className="heading-verdict">{words.heading}</h1>
      <p className="mt-4 max-w-prose text-intro text-muted">{words.intro}</p>
      <ol className="mt-8">
        <Step number={1} heading={words.steps.phrase}>
          <p className="font-mono text-h2" data-phrase>
            {phrase}
          </p>
          <p className="mt-1 text-muted text-small">
            {words.steps.phraseNote(formatLocalTime(new Date(madeAt).toISOString()))}
          </p>
          <Button className="mt-3" onClick={another}>
            {words.steps.another}
          </Button>
        </Step>
        <Step number={2} heading={words.steps.ask}>
          <blockquote className="border-control border-s-4 ps-4">{prompt}</blockquote>
          <div className="mt-3">
            <CopyButton text={prompt} what={words.steps.question} label={words.steps.copyPrompt} />
          </div>
        </Step>
        <Step number={3} heading={words.steps.paste}>
          <AnswerBox found={look} />
        </Step>
      </ol>
      {token !== null && <ChallengeResult key={`${token} ${phrase}`} token={token} phrase={phrase} madeAt={madeAt} />}
    </PageMain>
  )
}

const Step = ({ number, heading, children }: { number: number; heading: string; children: ReactNode }) => (
  <li className="grid gap-x-4 gap-y-2 border-line border-t py-6 sm:grid-cols-[2rem_1fr]">
    <p aria-hidden className="font-semibold text-muted">
      {number}
    </p>
    <div className="min-w-0">
      <h2 className="mb-2 font-semibold">{heading}</h2>
      {children}
    </div>
  </li>
)
