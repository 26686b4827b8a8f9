import { useId } from 'react'
import { useSearchParams } from 'react-router-dom'
import { lists } from '#messages/lists.ts'
import { useUrlText } from '../../../hooks/use-url-text.ts'
import { controlLook } from '../../../ui/controls/control-look.ts'

const words = lists.models.filters
const mostTokens = 10_000_000
const step = 50_000

/** Whole tokens within the slider's range; undefined if invalid. */
export const readTokens = (text: string | null): number | undefined => {
  if (text === null || !/^\d{1,9}$/.test(text)) return undefined
  return Math.min(Number(text), mostTokens)
}

/** Filters by context window: minimum, maximum, or both. */
export const ContextFilter = () => {
  const [params] = useSearchParams()
  const least = readTokens(params.get('min_context')) ?? 0
  const most = readTokens(params.get('max_context')) ?? mostTokens
  return (
    <fieldset>
      <legend className="mb-1.5 font-semibold text-small">{words.context}</legend>
      <div className="grid gap-x-8 gap-y-3 md:grid-cols-2">
        <TokenRange name="min_context" label={words.atLeast} atRest={0} />
        <TokenRange
          name="max_context"
          label={words.atMost}
          atRest={mostTokens}
          problem={most < least ? words.contradiction : ''}
        />
      </div>
    </fieldset>
  )
}

interface TokenRangeProps {
  name: string
  label: string
  /** The slider's position when the filter is off. */
  atRest: number
  problem?: string
}

/** A slider, and a number field for exact values. */
const TokenRange = ({ name, label, atRest, problem = '' }: TokenRangeProps) => {
  const id = useId()
  const { text, setText } = useUrlText(name)
  const value = readTokens(text) ?? atRest
  return (
    <div>
      <div className="grid grid-cols-[4rem_minmax(0,1fr)_7.5rem] items-center gap-3">
        <label htmlFor={id} className="text-small">
          {label}
        </label>
        <input
          type="range"
          aria-label={words.slider(label)}
          aria-valuetext={words.tokens(value)}
          min={0}
          max={mostTokens}
          step={step}
          value={value}
          onChange={({ target }) => setText(Number(target.value) === atRest ? '' : target.value)}
          className="h-10 w-full cursor-pointer accent-ink"
        />
        <input
          id={id}
          type="number"
          inputMode="numeric"
          min={0}
          max={mostTokens}
          step={step}
          placeholder={words.anyContext}
          value={text}
          aria-describedby={`${id}-problem`}
          aria-invalid={problem !== ''}
          onChange={({ target }) => setText(target.value)}
          className={controlLook}
        />
      </div>
      <p id={`${id}-problem`} role="alert" className="font-semibold text-bad text-small not-empty:mt-1.5">
        {problem}
      </p>
    </div>
  )
}
