import { lazy, Suspense } from 'react'
import { publishersSection as words } from '#messages/dashboard/publishers.ts'
import { useAddressDialog } from '../../../../hooks/use-address-dialog.ts'
import { OwnListSection } from '../../shared/own-list-section.tsx'
import type { TabProps } from '../../shared/tab-props.ts'
import { useOwnPublishers } from './own-publishers.ts'
import { lineOf, PublisherRow } from './publisher-row.tsx'

const command = 'countersign publishers add --github acme/models --workflow release.yml --environment release'

const loadForm = () => import('./publisher-dialog.tsx')
const preload = () => void loadForm().catch(() => undefined)
const PublisherDialog = lazy(() => loadForm().then((form) => ({ default: form.PublisherDialog })))

export const PublishersSection = ({ provider }: Pick<TabProps, 'provider'>) => {
  const own = useOwnPublishers()
  const adding = useAddressDialog('publisher')
  return (
    <OwnListSection
      heading={words.label}
      words={words}
      command={command}
      own={{ data: own.list, failure: own.failure, again: own.again }}
      itemsOf={({ publishers }) => publishers}
      row={(publisher, { audience }, onRemove) => (
        <PublisherRow
          key={publisher.id}
          publisher={publisher}
          scene={{ provider: provider.id, registry: audience }}
          onRemove={onRemove}
        />
      )}
      actions={{ add: 'publishers.add', remove: 'publishers.remove' }}
      add={() => adding.open('new')}
      preload={preload}
      removal={{ words: words.remove, lineOf, act: own.remove }}
    >
      {adding.value !== null && own.list && (
        <Suspense>
          <PublisherDialog known={own.list} add={own.add} onClose={adding.close} />
        </Suspense>
      )}
    </OwnListSection>
  )
}
