import { type ReactNode, useEffect, useState } from 'react'
import { useRouteError } from 'react-router-dom'
import { site } from '#messages/site.ts'
import { useDocumentTitle } from '../hooks/use-document-title.ts'
import { isOnline, useOnline } from '../hooks/use-online.ts'
import { Button } from '../ui/controls/button.tsx'
import { PageMain } from '../ui/layout/page-main.tsx'

const words = site.error

/** Shown if a page fails to render. */
export const ErrorScreen = () => {
  const error = useRouteError()
  const [wasOnline] = useState(isOnline)
  return wasOnline ? (
    <Screen
      heading={words.heading}
      text={error instanceof Error && error.message !== '' ? error.message : site.failure.unexpected}
    >
      <Button look="primary" className="mt-8" onClick={() => location.reload()}>
        {words.reload}
      </Button>
    </Screen>
  ) : (
    <Offline />
  )
}

/** A chunk could not be loaded. Reloading would also lose the page. */
const Offline = () => {
  const isBack = useOnline()
  useEffect(() => {
    if (isBack) location.reload()
  }, [isBack])
  return <Screen {...words.offline} />
}

const Screen = ({ heading, text, children }: { heading: string; text: string; children?: ReactNode }) => {
  useDocumentTitle(site.title(heading))
  return (
    <PageMain className="mx-auto max-w-record px-4 py-20">
      <div role="alert">
        <h1 className="heading-verdict">{heading}</h1>
        <p className="mt-4 text-intro text-muted">{text}</p>
      </div>
      {children}
    </PageMain>
  )
}
