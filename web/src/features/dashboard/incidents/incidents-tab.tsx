import type { Incident, IncidentFilter, IncidentSeverity } from '@countersign/sdk/contract'
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { incidentsTab } from '#messages/dashboard/incidents.ts'
import { explainFailure } from '../../../failures/failure.ts'
import { ChoiceField } from '../../../forms/filter-fields.tsx'
import { useAddressDialog } from '../../../hooks/use-address-dialog.ts'
import { useUrlChoice } from '../../../hooks/use-url-choice.ts'
import { BulkBar } from '../../../lists/bulk-bar.tsx'
import { BulkFailures } from '../../../lists/bulk-failures.tsx'
import { ExportButton } from '../../../lists/export-button.tsx'
import { ListRows, useListState } from '../../../lists/list-rows.tsx'
import { ListTable } from '../../../lists/list-table.tsx'
import { useBulk } from '../../../lists/use-bulk.ts'
import { useSelection } from '../../../lists/use-selection.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { toast } from '../../../ui/controls/toast.ts'
import { Empty } from '../../../ui/layout/empty.tsx'
import { FirstStep } from '../shared/first-step.tsx'
import { TabMain } from '../shared/tab-main.tsx'
import type { TabProps } from '../shared/tab-props.ts'
import { ChosenIncidents } from './chosen-incidents.ts'
import { DetailsDialog } from './details-dialog.tsx'
import { IncidentRow, incidentGrid } from './incident-row.tsx'
import { isOpen } from './open-incident.ts'
import { readAllIncidents, useOwnIncidents } from './own-incidents.ts'

const words = incidentsTab
// Copied instead of imported: the contract's lists would load its schemas.
const statuses = ['all', 'open', 'reported', 'investigating', 'resolved', 'dismissed'] as const satisfies (
  | IncidentFilter
  | 'all'
)[]
const severities = ['all', 'critical', 'high', 'medium', 'low'] as const satisfies (IncidentSeverity | 'all')[]
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
const keyOf = ({ id }: Incident) => id

const loadRespond = () => import('./respond-dialog.tsx')
const RespondDialog = lazy(() => loadRespond().then(({ RespondDialog }) => ({ default: RespondDialog })))
const loadDismiss = () => import('./dismiss-dialog.tsx')
const DismissDialog = lazy(() => loadDismiss().then(({ DismissDialog }) => ({ default: DismissDialog })))
const preload = () => void Promise.all([loadRespond(), loadDismiss()]).catch(() => undefined)

/** The Incidents tab. */
export const IncidentsTab = ({ provider }: TabProps) => {
  const [status, chooseStatus] = useUrlChoice('status', statuses)
  const [severity, chooseSeverity] = useUrlChoice('severity', severities)
  const { list, total, isLowerBound, respond, reload } = useOwnIncidents(provider.id, { status, severity })
  const { items } = list
  const state = useListState(list)
  const details = useAddressDialog('incident')
  const responding = useAddressDialog('respond')
  const open = useMemo(() => (items ?? []).filter(isOpen), [items])
  const selection = useSelection(useMemo(() => open.map(({ id }) => id), [open]))
  const chosenNow = useMemo(() => ({ has: selection.has, toggle: selection.toggle }), [selection.has, selection.toggle])
  const bulk = useBulk<Incident>()
  const [dismissing, setDismissing] = useState<readonly Incident[] | null>(null)

  const dismissAll = async (those: readonly Incident[], response: string) => {
    const act = ({ id }: Incident) => respond(id, { status: 'dismissed', ...(response !== '' && { response }) })
    const { done, failed } = await bulk.run(those, act)
    selection.clear()
    if (done.length > 0) toast.success(words.bulk.done(done.length))
    if (failed.length > 0) await reload()
    return failed.length === 0
  }

  // The function that opens a dialog changes with the address; rows must not re-render for it.
  const latest = useRef({ show: details.open, respond: responding.open })
  latest.current = { show: details.open, respond: responding.open }
  const rowOf = useCallback(
    (incident: Incident) => (
      <IncidentRow
        incident={incident}
        show={(id) => latest.current.show(id)}
        respond={(id) => latest.current.respond(id)}
      />
    ),
    [],
  )
  const isFiltered = status !== 'all' || severity !== 'all'
  const totalText = total === undefined ? '' : isLowerBound ? words.atLeast(total) : words.exactly(total)
  const known = (id: string) => items?.find((each) => each.id === id)
  return (
    <TabMain
      state={state.name}
      busy={state.isBusy}
      heading={words.heading}
      status={words.about}
      actions={
        state.isReady ? (
          <ExportButton<Incident>
            list="incidents"
            filters={[status, severity].filter((each) => each !== 'all')}
            columns={csvColumns}
            total={totalText}
            rows={() => readAllIncidents({ status, severity })}
          />
        ) : undefined
      }
    >
      <div className="mt-6 grid gap-4 border-line border-y py-4 sm:grid-cols-[1fr_12rem_12rem]">
        <dl aria-busy={total === undefined}>
          <dt className="text-muted text-small">{words.total}</dt>
          <dd className="min-h-8 font-bold text-app">{totalText}</dd>
        </dl>
        <ChoiceField
          label={words.status}
          value={status}
          choices={statuses}
          nameOf={(choice) => words.statuses[choice]}
          choose={chooseStatus}
        />
        <ChoiceField
          label={words.severity}
          value={severity}
          choices={severities}
          nameOf={(choice) => (choice === 'all' ? words.anySeverity : words.severities[choice])}
          choose={chooseSeverity}
        />
      </div>
      {bulk.failed.length > 0 && (
        <BulkFailures
          heading={words.bulk.failed(bulk.failed.length)}
          reasons={bulk.failed.map(({ item, failure }) => ({
            id: item.id,
            text: words.bulk.reason(item.title, explainFailure(failure)),
          }))}
          onClose={bulk.forgetFailed}
        />
      )}
      <p role="status" className="sr-only">
        {state.isSlow && words.loading}
      </p>
      <ListRows
        list={list}
        state={state}
        failed={words.failed}
        empty={
          isFiltered ? (
            <Empty heading={words.noMatch}>
              <Button
                onClick={() => {
                  chooseStatus('all')
                  chooseSeverity('all')
                }}
              >
                {words.clear}
              </Button>
            </Empty>
          ) : (
            <FirstStep heading={words.none.heading} text={words.none.text} command={command} />
          )
        }
      >
        {(pages) => (
          <>
            {open.length > 0 && (
              <BulkBar selection={selection} progress={bulk.progress} words={words.bulk}>
                <Button
                  aria-haspopup="dialog"
                  onPointerEnter={preload}
                  onFocus={preload}
                  onClick={() => setDismissing(open.filter(({ id }) => selection.has(id)))}
                >
                  {words.bulk.dismiss}
                </Button>
              </BulkBar>
            )}
            <ChosenIncidents value={chosenNow}>
              <ListTable
                list={list.list}
                label={words.heading}
                columns={Object.values(words.columns)}
                grid={incidentGrid}
                pages={pages}
                keyOf={keyOf}
                rowOf={rowOf}
              />
            </ChosenIncidents>
          </>
        )}
      </ListRows>
      {details.value !== null && (
        <DetailsDialog
          id={details.value}
          known={known(details.value)}
          respond={() => responding.open(details.value ?? '')}
          onClose={details.close}
        />
      )}
      <Suspense>
        {responding.value !== null && (
          <Above>
            <RespondDialog
              id={responding.value}
              known={known(responding.value)}
              respond={(response) => respond(responding.value ?? '', response)}
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
    </TabMain>
  )
}

/** Two dialogs that open at the same time hide each other from screen readers, so the second opens after the first. */
const Above = ({ children }: { children: ReactNode }) => {
  const [isTime, setIsTime] = useState(false)
  useEffect(() => setIsTime(true), [])
  return isTime && children
}
