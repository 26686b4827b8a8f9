import { useEffect, useState } from 'react'

/** The last value that stayed unchanged for the delay. */
export const useDebounced = <Value>(value: Value, ms: number): Value => {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return rested
}
