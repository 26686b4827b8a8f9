import { type IssuedVerification, isId } from '@countersign/sdk/contract'
import { useCallback, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { verificationsTab } from '#messages/dashboard/verifications.ts'
import { SelectField } from '../../../forms/field.tsx'
import { changeQuery } from '../../../hooks/change-query.ts'
import { ListTable } from '../../../lists/list-table.tsx'
import { FirstStep } from '../shared/first-step.tsx'
import { ListTab } from '../shared/list-tab.tsx'
import type { TabProps } from '../shared/tab-props.ts'
import { LinkCells } from './link-cells.tsx'
import { useModelNames, useOwnVerifications } from './own-verifications.ts'

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

const keyOf = ({ id }: IssuedVerification) => id

/** The Verifications tab. */
export const VerificationsTab = ({ provider }: TabProps) => {
  const [params, setParams] = useSearchParams()
  const now = useNow()
  const given = params.get('model') ?? ''
  const model = isId('mdl', given) ? given : undefined
  const names = useModelNames(provider.id) ?? []
  const { list, count } = useOwnVerifications(model)
  const choose = (id: string) => setParams(changeQuery('model', id), { preventScrollReset: true })
  const rowOf = useCallback((link: IssuedVerification) => <LinkCells link={link} now={now} />, [now])
  const found = (shown: number, hasMore: boolean) =>
    count !== undefined && hasMore ? words.foundOf(shown, count.total, count.isMore) : words.found(shown, hasMore)
  return (
    <ListTab<IssuedVerification>
      list={list}
      words={{ ...words, found }}
      isFiltered={model !== undefined}
      clear={() => choose('')}
      firstStep={<FirstStep {...words.firstStep} command={command} />}
      filters={
        <search className="grid max-w-md gap-4">
          <SelectField label={words.model} value={model ?? ''} onChange={({ target }) => choose(target.value)}>
            <option value="">{words.allModels}</option>
            {model !== undefined && !names.some(({ id }) => id === model) && <option value={model}>{model}</option>}
            {names.map(({ id, name, version }) => (
              <option key={id} value={id}>
                {words.version(name, version)}
              </option>
            ))}
          </SelectField>
        </search>
      }
    >
      {(pages) => (
        <ListTable
          list={list.list}
          label={words.list}
          columns={Object.values(words.columns)}
          grid="lg:grid-cols-4"
          pages={pages}
          keyOf={keyOf}
          rowOf={rowOf}
        />
      )}
    </ListTab>
  )
}
