import { useSearchParams } from 'react-router-dom'
import { lists } from '#messages/lists.ts'
import { SelectField } from '../../../forms/field.tsx'
import { useUrlChoice } from '../../../hooks/use-url-choice.ts'

const words = lists.models.filters
const firstYear = 2017

export const readYear = (text: string | null): number | undefined =>
  text !== null && /^(19|20)\d\d$/.test(text) ? Number(text) : undefined

const thisYear = () => new Date().getUTCFullYear()

/** A year in the address is always in the list, however long ago it was. */
export const YearFilter = () => {
  const [params] = useSearchParams()
  const inAddress = readYear(params.get('year'))
  const usual = Array.from({ length: thisYear() + 2 - firstYear }, (_, index) => thisYear() + 1 - index)
  const years = inAddress === undefined || usual.includes(inAddress) ? usual : [...usual, inAddress]
  const [year, choose] = useUrlChoice('year', ['', ...years.map(String)])
  return (
    <SelectField label={words.year} value={year} onChange={(event) => choose(event.target.value)}>
      <option value="">{words.anyYear}</option>
      {years.map((each) => (
        <option key={each} value={each}>
          {each}
        </option>
      ))}
    </SelectField>
  )
}
