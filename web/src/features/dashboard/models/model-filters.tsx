import { modelsTab } from '#messages/dashboard/models.ts'
import { site } from '#messages/site.ts'
import { maxSearchText } from '../../../data/search-limits.ts'
import { ChoiceField, SearchField } from '../../../forms/filter-fields.tsx'
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
        <SearchField
          label={words.search}
          placeholder={words.placeholder}
          maxLength={maxSearchText}
          text={search}
          className="sm:col-span-2 xl:col-span-1"
        />
        <ChoiceField
          label={words.visibility}
          value={visibility}
          choices={visibilities}
          nameOf={(choice) => words.visibilities[choice]}
          choose={chooseVisibility}
        />
        <ChoiceField
          label={words.sort}
          value={sort}
          choices={groupSorts}
          nameOf={(choice) => words.sorts[choice]}
          choose={chooseSort}
        />
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
