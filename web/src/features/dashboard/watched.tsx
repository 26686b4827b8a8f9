import {
  createContext,
  type Dispatch,
  type ReactNode,
  type SetStateAction,
  useContext,
  useEffect,
  useState,
} from 'react'
import { type Middleware, SWRConfig } from 'swr'

interface Outdated {
  since: string
}

const SetOutdated = createContext<Dispatch<SetStateAction<readonly Outdated[]>>>(() => undefined)

const watch: Middleware = (useNext) => (key, ask, options) => {
  const answer = useNext(key, ask, options)
  const setOutdated = useContext(SetOutdated)
  const isOutdated = answer.error !== undefined && answer.data !== undefined
  useEffect(() => {
    if (!isOutdated) return
    const entry = { since: new Date().toISOString() }
    setOutdated((before) => [...before, entry])
    return () => setOutdated((before) => before.filter((each) => each !== entry))
  }, [isOutdated, setOutdated])
  return answer
}

const watched = { use: [watch] }

/**
 * Tells its content since when any of the data that it shows could not be loaded again. The dashboard keeps such data, because what is
 * typed depends on it.
 */
export const Watched = ({ children }: { children: (notReloadedSince: string | undefined) => ReactNode }) => {
  const [outdated, setOutdated] = useState<readonly Outdated[]>([])
  return (
    <SetOutdated value={setOutdated}>
      <SWRConfig value={watched}>{children(outdated[0]?.since)}</SWRConfig>
    </SetOutdated>
  )
}
