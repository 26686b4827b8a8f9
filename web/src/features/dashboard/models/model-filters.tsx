import { modelsTab } from '#messages/dashboard/models.ts'
import { site } from '#messages/site.ts'
import { maxSearchText } from '../../../data/search-limits.ts'
import { SelectField, TextField } from '../../../forms/field.tsx'
import type { useUrlText } from '../../../hooks/use-url-text.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Switch } from '../../../ui/controls/switch.tsx'
import { groupSorts, visibilities } from './own-model-groups.ts'

const words = modelsTab.filters

interface ModelFiltersProps {
  search: ReturnType<typeof useUrlText>
  visibility: string
  chooseVisibility: (value: string) => void
  sort: string
  chooseSort: (value: string) => void
  withArchived: boolean
  showArchived: (isOn: boolean) => void
  /** The total count. */
  found: string
  clear?: () => void
}

/** The list's filters, all stored in the address. */
export const ModelFilters = (props: ModelFiltersProps) => {
  const { search, visibility, chooseVisibility, sort, chooseSort, withArchived, showArchived, found, clear } = props
  return (
    <search aria-label={words.label} className="block">
      <div className="grid gap-4 border-line border-y py-5 sm:grid-cols-2 xl:grid-cols-[2fr_1fr_1fr]">
        <TextField
          type="search"
          label={words.search}
          placeholder={words.placeholder}
          maxLength={maxSearchText}
          value={search.text}
          onChange={({ target }) => search.setText(target.value)}
          className="sm:col-span-2 xl:col-span-1"
        />
        <SelectField
          label={words.visibility}
          value={visibility}
          onChange={({ target }) => chooseVisibility(target.value)}
        >
          {visibilities.map((value) => (
            <option key={value} value={value}>
              {words.visibilities[value]}
            </option>
          ))}
        </SelectField>
        <SelectField label={words.sort} value={sort} onChange={({ target }) => chooseSort(target.value)}>
          {groupSorts.map((value) => (
            <option key={value} value={value}>
              {words.sorts[value]}
            </option>
          ))}
        </SelectField>
      </div>
      <div className="flex min-h-14 flex-wrap items-center gap-x-6 gap-y-2 py-2">
        <p role="status" className="text-small">
          {found}
        </p>
        <Switch label={words.archived} isOn={withArchived} onSwitch={showArchived} />
        {clear && (
          <Button className="ms-auto" onClick={clear}>
            {site.list.clear}
          </Button>
        )}
      </div>
    </search>
  )
}
