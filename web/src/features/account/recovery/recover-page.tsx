import { useState } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { recover as words } from '#messages/pages/recover.ts'
import { AccountPage } from '../account-page.tsx'
import { Notice } from '../notice.tsx'
import { AskForLink } from './ask-for-link.tsx'
import { Recovering } from './recovering.tsx'

/** Asks for the link, or shows what it leads to. Opening the page changes nothing: mail scanners open links. */
export const RecoverPage = () => {
  const { search } = useLocation()
  const [token, setToken] = useState(() => new URLSearchParams(search).get('token'))
  const [sentTo, setSentTo] = useState<string | null>(null)
  const [state, setState] = useState<'ready' | 'waiting' | 'done' | 'refused'>('ready')
  const askAgain = () => {
    setToken(null)
    setSentTo(null)
    setState('ready')
  }
  return (
    <AccountPage
      state={sentTo === null ? state : 'sent'}
      title={words.title}
      heading={words.title}
      intro={token === null && sentTo === null ? words.about : undefined}
    >
      {sentTo !== null && <Notice isUrgent>{words.sentTo(sentTo)}</Notice>}
      {sentTo === null && token === null && <AskForLink onSent={setSentTo} onToken={setToken} />}
      {token !== null && state !== 'refused' && state !== 'done' && <Recovering token={token} onState={setState} />}
      {state === 'refused' && (
        <div className="grid gap-5">
          <Notice tone="bad" isUrgent>
            {words.invalid}
          </Notice>
          <button type="button" className="link justify-self-start text-small" onClick={askAgain}>
            {words.again}
          </button>
        </div>
      )}
      {state === 'done' && (
        <div className="grid gap-5">
          <Notice isUrgent heading={words.done}>
            {words.next}
          </Notice>
          <Link to="/login" className="link justify-self-start text-small">
            {words.signIn}
          </Link>
        </div>
      )}
    </AccountPage>
  )
}
