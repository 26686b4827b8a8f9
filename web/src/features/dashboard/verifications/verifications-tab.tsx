import { type IssuedVerification, isId } from '@countersign/sdk/contract'
import { useEffect, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { verificationsTab } from '#messages/dashboard/verifications.ts'
import { formatNumber } from '#messages/site.ts'
import { addressWith, changeQuery } from '../../../hooks/change-query.ts'
import { useAddressDialog } from '../../../hooks/use-address-dialog.ts'
import { ExportButton } from '../../../lists/export-button.tsx'
import { ChoiceBox, SortBox } from '../../../lists/list-bar.tsx'
import { newestFirst, textOf } from '../../../lists/sorting.ts'
import { usePagedItems } from '../../../lists/use-paged-items.ts'
import { useSort } from '../../../lists/use-sort.ts'
import { MintButton } from '../mint/mint-button.tsx'
import { FirstStep } from '../shared/first-step.tsx'
import { ListBar, ListTab } from '../shared/list-tab.tsx'
import { nameModels } from '../shared/model-names.ts'
import type { TabProps } from '../shared/tab-props.ts'
import { linkColumns, titleOf } from './link-columns.tsx'
import { LinkDetails } from './link-details.tsx'
import { readVerifications, useModelNames, useOwnVerifications } from './own-verifications.ts'

const words = verificationsTab
const command = 'countersign tokens mint --model MODEL --url'
const tickMs = 15_000

/** The current time, updated regularly so that links show as expired. */
const useNow = () => {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs)
    return () => clearInterval(timer)
  }, [])
  return now
}

const csvColumns = [
  'id',
  'model_id',
  'model_name',
  'model_version',
  'deployment_id',
  'deployment_binding',
  'issued_at',
  'expires_at',
  'opened_at',
  'opened_count',
  'user_fp',
  'challenge',
  'origin',
  'metadata',
  'bound_to_response',
  'result',
  'strength',
  'reason',
  'change',
] as const satisfies (keyof IssuedVerification)[]

const idOf = ({ id }: IssuedVerification) => id

/** The Verifications tab. */
export const VerificationsTab = ({ provider }: TabProps) => {
  const [params, setParams] = useSearchParams()
  const now = useNow()
  const columns = useMemo(() => linkColumns(now), [now])
  const given = params.get('model') ?? ''
  const model = isId('mdl', given) ? given : undefined
  const names = useModelNames(provider.id) ?? []
  const { sort, sortBy, chooseSort } = useSort(['created'], newestFirst, ['created'])
  const query = { model_id: model, sort: textOf(sort) as 'created' | '-created' }
  const { list, count } = useOwnVerifications(query)
  const paged = usePagedItems(list)
  const details = useAddressDialog('link')
  const choose = (id: string) => setParams(changeQuery('model', id), { preventScrollReset: true })
  const clear = () => choose('')
  const detailsOf = ({ id }: IssuedVerification) => addressWith(params, 'link', id)
  const total = count && (count.isMore ? words.moreThan(count.total) : formatNumber(count.total))
  const opened = list.items?.find(({ id }) => id === details.value)
  return (
    <ListTab<IssuedVerification>
      list={list}
      paged={paged}
      words={words}
      columns={columns}
      sort={sort}
      sortBy={sortBy}
      idOf={idOf}
      nameOf={titleOf}
      addressOf={detailsOf}
      menuOf={(link) => [
        { label: words.details.open, to: detailsOf(link) },
        { label: words.details.model, to: `/models/${link.model_id}` },
        { label: words.details.only, act: () => choose(link.model_id) },
      ]}
      total={total}
      isFiltered={model !== undefined}
      clear={clear}
      actions={<MintButton look="primary" />}
      firstStep={<FirstStep action="verifications.create" {...words.firstStep} command={command} />}
      filters={
        <div className="flex flex-wrap items-center gap-2">
          <ChoiceBox
            label={words.model}
            value={model ?? ''}
            choices={[
              { value: '', name: words.allModels },
              ...(model === undefined || names.some(({ id }) => id === model) ? [] : [{ value: model, name: model }]),
              ...nameModels(names),
            ]}
            choose={choose}
          />
          <SortBox className="md:hidden" columns={columns} sort={sort} choose={chooseSort} />
        </div>
      }
      bar={
        <ListBar
          found={count === undefined ? '' : words.found(count.total, count.isMore)}
          isFiltered={model !== undefined}
          clear={clear}
        >
          <ExportButton<IssuedVerification>
            list="verifications"
            filters={model === undefined ? [] : [model]}
            columns={csvColumns}
            total={total}
            rows={() => readVerifications(query)}
          />
        </ListBar>
      }
    >
      {opened && <LinkDetails link={opened} now={now} onClose={details.close} />}
    </ListTab>
  )
}
