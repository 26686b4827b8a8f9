import type { Publisher } from '@countersign/sdk/contract'
import { lazy, Suspense, useState } from 'react'
import { publishersSection as words } from '#messages/dashboard/publishers.ts'
import { ConfirmDialog } from '../../../../forms/confirm-dialog.tsx'
import { useAddressDialog } from '../../../../hooks/use-address-dialog.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import { toast } from '../../../../ui/controls/toast.ts'
import { Section } from '../../../../ui/layout/section.tsx'
import { FirstStep } from '../../shared/first-step.tsx'
import type { TabProps } from '../../shared/tab-props.ts'
import { SectionBody } from '../section-body.tsx'
import { useOwnPublishers } from './own-publishers.ts'
import { lineOf, PublisherRow } from './publisher-row.tsx'

const command = 'countersign publishers add --github acme/models --workflow release.yml --environment release'

const loadForm = () => import('./publisher-dialog.tsx')
const preload = () => void loadForm().catch(() => undefined)
const PublisherDialog = lazy(() => loadForm().then((form) => ({ default: form.PublisherDialog })))

export const PublishersSection = ({ provider }: Pick<TabProps, 'provider'>) => {
  const own = useOwnPublishers()
  const adding = useAddressDialog('publisher')
  const [removing, setRemoving] = useState<Publisher | null>(null)
  const button = (
    <Button
      look="primary"
      aria-haspopup="dialog"
      onPointerEnter={preload}
      onFocus={preload}
      onClick={() => adding.open('new')}
    >
      {words.add}
    </Button>
  )
  const remove = async ({ id }: Publisher) => {
    try {
      await own.remove(id)
    } catch (failure) {
      await own.again()
      throw failure
    }
    toast.success(words.remove.done)
  }
  return (
    <Section heading={words.label} className="mt-8">
      <p className="max-w-prose text-muted text-small">{words.about}</p>
      <div className="mt-5">
        <SectionBody data={own.list} failure={own.failure} failed={words.failed} again={own.again}>
          {({ publishers, audience }) =>
            publishers.length === 0 ? (
              <FirstStep heading={words.none.heading} text={words.none.text} command={command}>
                {button}
              </FirstStep>
            ) : (
              <>
                {button}
                <ul aria-label={words.list} className="mt-5 border-line border-b">
                  {publishers.map((publisher) => (
                    <PublisherRow
                      key={publisher.id}
                      publisher={publisher}
                      scene={{ provider: provider.id, registry: audience }}
                      onRemove={() => setRemoving(publisher)}
                    />
                  ))}
                </ul>
              </>
            )
          }
        </SectionBody>
      </div>
      {adding.value !== null && own.list && (
        <Suspense>
          <PublisherDialog known={own.list} add={own.add} onClose={adding.close} />
        </Suspense>
      )}
      {removing && (
        <ConfirmDialog
          title={words.remove.title}
          description={words.remove.text(lineOf(removing))}
          action={words.remove.action}
          doing={words.remove.doing}
          act={() => remove(removing)}
          onClose={() => setRemoving(null)}
        />
      )}
    </Section>
  )
}
