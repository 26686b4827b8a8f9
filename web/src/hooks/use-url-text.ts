import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { changeQuery } from './change-query.ts'

const delayMs = 300

/** A text field stored in the address: written when typing pauses, and read when the address changes. */
export const useUrlText = (name: string) => {
  const [params, setParams] = useSearchParams()
  const inAddress = params.get(name) ?? ''
  const [text, setText] = useState(inAddress)
  const [read, setRead] = useState(inAddress)
  if (read !== inAddress) {
    setRead(inAddress)
    // A trailing space precedes the next word.
    if (text.trim() !== inAddress) setText(inAddress)
  }

  const typed = text.trim()
  useEffect(() => {
    if (typed === inAddress) return
    const timer = setTimeout(() => {
      setParams(changeQuery(name, typed), { replace: true, preventScrollReset: true })
    }, delayMs)
    return () => clearTimeout(timer)
  }, [typed, inAddress, name, setParams])

  return { text, setText, inAddress }
}
