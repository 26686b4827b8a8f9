import type { Incident, IncidentFilter, IncidentSeverity, IncidentSort } from '@countersign/sdk/contract'
import { quote } from '@countersign/sdk/words'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { incidentsTab } from '#messages/dashboard/incidents.ts'
import { useMay } from '../../../data/role.ts'
import { explainFailure } from '../../../failures/failure.ts'
import { addressWith } from '../../../hooks/change-query.ts'
import { useAddressDialog } from '../../../hooks/use-address-dialog.ts'
import { useUrlChoice } from '../../../hooks/use-url-choice.ts'
import { BulkFailures } from '../../../lists/bulk-failures.tsx'
import { ExportButton } from '../../../lists/export-button.tsx'
import { ChoiceBox, SavedFilters, SelectionBar, SortBox } from '../../../lists/list-bar.tsx'
import type { MenuItem } from '../../../lists/row-menu.tsx'
import { newestFirst, textOf } from '../../../lists/sorting.ts'
import { useBulk } from '../../../lists/use-bulk.ts'
import { usePagedItems } from '../../../lists/use-paged-items.ts'
import { useSelection } from '../../../lists/use-selection.ts'
import { useSort } from '../../../lists/use-sort.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { toast } from '../../../ui/controls/toast.ts'
import { FirstStep } from '../shared/first-step.tsx'
import { ListTab } from '../shared/list-tab.tsx'
import { addressOf } from '../shared/tab-names.ts'
import type { TabProps } from '../shared/tab-props.ts'
import { useAttention } from '../shared/use-attention.ts'
import { DetailsDialog } from './details-dialog.tsx'
import { incidentColumns } from './incident-columns.tsx'
import { isOpen } from './open-incident.ts'
import { readAllIncidents, useOwnIncidents } from './own-incidents.ts'

const words = incidentsTab
// Copied instead of imported: the contract's lists would load its schemas.
const statuses = ['all', 'open', 'reported', 'investigating', 'resolved', 'dismissed'] as const satisfies (
  | IncidentFilter
  | 'all'
)[]
const severities = ['all', 'critical', 'high', 'medium', 'low'] as const satisfies (IncidentSeverity | 'all')[]
const sorts = ['severity', 'status', 'created'] as const
const command = 'countersign incidents list'
const csvColumns = [
  'id',
  'created_at',
  'status',
  'severity',
  'category',
  'title',
  'description',
  'model_id',
  'model_name',
  'is_verified_report',
  'counts_publicly',
  'reporter_email',
  'reporter_fingerprint',
  'reference_url',
  'screenshot_url',
  'provider_response',
  'resolved_at',
] as const satisfies (keyof Incident)[]
const loadRespond = () => import('./respond-dialog.tsx')
const RespondDialog = lazy(() => loadRespond().then(({ RespondDialog }) => ({ default: RespondDialog })))
const loadDismiss = () => import('./dismiss-dialog.tsx')
const DismissDialog = lazy(() => loadDismiss().then(({ DismissDialog }) => ({ default: DismissDialog })))
const preload = () => void Promise.all([loadRespond(), loadDismiss()]).catch(() => undefined)

const idOf = ({ id }: Incident) => id
const nameOf = ({ title }: Incident) => quote(title)

/** Filters that are used often. The second and third are what the registry counts as needing attention. */
const saved = { all: '', open: '&status=open', critical: '&status=open&severity=critical' }

/** The Incidents tab. */
export const IncidentsTab = ({ provider }: TabProps) => {
  const [params, setParams] = useSearchParams()
  const [status, chooseStatus] = useUrlChoice('status', statuses)
  const [severity, chooseSeverity] = useUrlChoice('severity', severities)
  const { sort, sortBy, chooseSort } = useSort(sorts, newestFirst, ['severity', 'created'])
  const filter = { status, severity, sort: textOf(sort) as IncidentSort }
  const { list, total, isLowerBound, respond, reload } = useOwnIncidents(provider.id, filter)
  const { attention } = useAttention(provider.id, provider.is_active)
  const { items } = list
  const details = useAddressDialog('incident')
  const responding = useAddressDialog('respond')
  const paged = usePagedItems(list)
  const open = paged.rows.filter(isOpen)
  const selection = useSelection(open.map(idOf))
  const bulk = useBulk<Incident>()
  const mayRespond = useMay()('incidents.respond')
  const [dismissing, setDismissing] = useState<readonly Incident[] | null>(null)

  const dismissAll = async (those: readonly Incident[], response: string) => {
    const act = ({ id }: Incident) => respond(id, { status: 'dismissed', ...(response !== '' && { response }) })
    const { done, failed } = await bulk.run(those, act)
    selection.clear()
    if (done.length > 0) toast.success(words.bulk.done(done.length))
    if (failed.length > 0) await reload()
    return failed.length === 0
  }
  const detailsOf = ({ id }: Incident) => addressWith(params, 'incident', id)
  const menuOf = (incident: Incident): MenuItem[] => [
    { label: words.showDetails, to: detailsOf(incident) },
    ...(mayRespond && isOpen(incident) ? [{ label: words.respond, act: () => responding.open(incident.id) }] : []),
    { label: words.viewModel, to: `/models/${incident.model_id}` },
    ...(mayRespond && isOpen(incident)
      ? [{ label: words.bulk.dismiss, act: () => setDismissing([incident]), isDestructive: true }]
      : []),
  ]
  const clear = () => setParams({ tab: 'incidents' }, { preventScrollReset: true })
  const totalText = total === undefined ? undefined : isLowerBound ? words.atLeast(total) : words.exactly(total)
  const known = (id: string) => items?.find((each) => each.id === id)
  const current = Object.entries(saved).find(
    ([, query]) =>
      query === `${status === 'all' ? '' : `&status=${status}`}${severity === 'all' ? '' : `&severity=${severity}`}`,
  )
  return (
    <ListTab<Incident>
      list={list}
      paged={paged}
      words={words}
      columns={incidentColumns}
      sort={sort}
      sortBy={sortBy}
      idOf={idOf}
      nameOf={nameOf}
      addressOf={detailsOf}
      menuOf={menuOf}
      canChoose={isOpen}
      total={totalText}
      {...(mayRespond && { selection })}
      chooseAll={words.bulk.all}
      isFiltered={status !== 'all' || severity !== 'all'}
      clear={clear}
      firstStep={<FirstStep heading={words.none.heading} text={words.none.text} command={command} />}
      filters={
        <>
          <SavedFilters
            current={current?.[0] ?? ''}
            filters={(['all', 'open', 'critical'] as const).map((key) => ({
              key,
              name: words.saved[key],
              ...(key === 'open' && attention && { count: attention.open_incidents }),
              to: `${addressOf('incidents')}${saved[key]}`,
            }))}
          />
          <div className="flex flex-wrap items-center gap-2">
            <ChoiceBox
              label={words.status}
              value={status}
              choices={statuses.map((value) => ({ value, name: words.statuses[value] }))}
              choose={chooseStatus}
            />
            <ChoiceBox
              label={words.severity}
              value={severity}
              choices={severities.map((value) => ({
                value,
                name: value === 'all' ? words.anySeverity : words.severities[value],
              }))}
              choose={chooseSeverity}
            />
            <SortBox className="xl:hidden" columns={incidentColumns} sort={sort} choose={chooseSort} />
          </div>
        </>
      }
      bar={
        <>
          {bulk.failed.length > 0 && (
            <BulkFailures
              heading={words.bulk.failed(bulk.failed.length)}
              reasons={bulk.failed.map(({ item, failure }) => ({
                id: item.id,
                text: words.bulk.reason(nameOf(item), explainFailure(failure)),
              }))}
              onClose={bulk.forgetFailed}
            />
          )}
          <SelectionBar
            selection={selection}
            progress={bulk.progress}
            words={words.bulk}
            found={totalText === undefined ? '' : words.totalOf(totalText)}
            tools={
              <span className="ms-auto flex gap-2">
                <ExportButton<Incident>
                  list="incidents"
                  filters={[status, severity].filter((each) => each !== 'all')}
                  columns={csvColumns}
                  total={totalText}
                  rows={() => readAllIncidents(filter)}
                />
              </span>
            }
          >
            <Button
              look="dangerPlain"
              className="min-h-9! py-1!"
              aria-haspopup="dialog"
              onPointerEnter={preload}
              onFocus={preload}
              onClick={() => setDismissing(open.filter(({ id }) => selection.has(id)))}
            >
              {words.bulk.dismiss}
            </Button>
          </SelectionBar>
        </>
      }
    >
      {details.value !== null && (
        <DetailsDialog
          id={details.value}
          known={known(details.value)}
          {...(mayRespond && { respond: () => responding.open(details.value ?? '') })}
          onClose={details.close}
        />
      )}
      <Suspense>
        {mayRespond && responding.value !== null && (
          <Above>
            <RespondDialog
              id={responding.value}
              known={known(responding.value)}
              respond={(response, ifMatch) => respond(responding.value ?? '', response, ifMatch)}
              reload={() => reload(responding.value ?? '')}
              onClose={responding.close}
            />
          </Above>
        )}
        {dismissing && (
          <DismissDialog
            chosen={dismissing}
            dismiss={(response) => dismissAll(dismissing, response)}
            onClose={() => setDismissing(null)}
          />
        )}
      </Suspense>
    </ListTab>
  )
}

/** Two dialogs that open at the same time hide each other from screen readers, so the second opens after the first. */
const Above = ({ children }: { children: ReactNode }) => {
  const [isTime, setIsTime] = useState(false)
  useEffect(() => setIsTime(true), [])
  return isTime && children
}
