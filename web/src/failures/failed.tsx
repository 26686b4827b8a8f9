import { ApiError } from '@countersign/sdk'
import { site } from '#messages/site.ts'
import { Button } from '../ui/controls/button.tsx'
import { explainFailure } from './failure.ts'

const words = site.failure

interface FailedProps {
  failure: unknown
  /** The heading: what could not be loaded. */
  heading?: string
  /** Used if the registry sent no message. */
  wordsOfStatus?: (status: number) => string
  again?: () => void
}

/** The role or key does not allow it, so the next try would fail too. */
const isForbidden = (failure: unknown) => failure instanceof ApiError && failure.status === 403

/** Shown in place of data that failed to load, with a way to retry. */
export const Failed = ({ failure, heading = words.heading, wordsOfStatus, again }: FailedProps) => (
  <div role="alert" className="border-bad border-s-4 py-2 ps-4">
    <p className="font-semibold">{heading}</p>
    <p className="mt-1 text-muted text-small">{explainFailure(failure, wordsOfStatus)}</p>
    {again && !isForbidden(failure) && (
      <Button className="mt-4" onClick={again}>
        {words.again}
      </Button>
    )}
  </div>
)
