import { type FocusEvent, type KeyboardEvent, useEffect, useId, useState } from 'react'

// Not `downshift`: the header of every public page has a search box, and this hook is 3 kB before compression.

interface ComboboxOptions {
  /** The list's ID. */
  label: string
  /** The number of results. */
  count: number
  /** Changes with each set of results, to reset the highlight. */
  results: unknown
  choose: (index: number) => void
}

const none = -1

/** A text field with a list of results, operated by arrow keys, Enter and Escape, as ARIA describes it. */
export const useCombobox = ({ label, count, results, choose }: ComboboxOptions) => {
  const id = useId()
  const [isActive, setIsActive] = useState(false)
  const [highlight, setHighlight] = useState<{ of: unknown; index: number }>({ of: undefined, index: none })
  const isOpen = isActive && count > 0
  const index = isOpen && highlight.of === results && highlight.index < count ? highlight.index : none
  const optionId = (option: number) => `${id}-option-${option}`

  const move = (step: 1 | -1) => {
    setIsActive(true)
    const from = index === none && step === -1 ? 0 : index
    setHighlight({ of: results, index: (from + step + count) % count })
  }

  const onKeyDown = (event: KeyboardEvent) => {
    // Enter and arrows then belong to the input method.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (count === 0) return
      event.preventDefault()
      move(event.key === 'ArrowDown' ? 1 : -1)
    }
    if (event.key === 'Enter' && index !== none) {
      event.preventDefault()
      choose(index)
    }
    if (event.key === 'Escape' && isOpen) {
      // Otherwise the field would clear itself, or the surrounding dialog close.
      event.preventDefault()
      setIsActive(false)
    }
  }

  const highlighted = index === none ? undefined : optionId(index)
  useEffect(() => {
    if (highlighted !== undefined) document.getElementById(highlighted)?.scrollIntoView({ block: 'nearest' })
  }, [highlighted])

  return {
    isOpen,
    index,
    optionId,
    /** Call on input: Enter then submits the text until an arrow key selects a result. */
    open: () => {
      setIsActive(true)
      setHighlight({ of: undefined, index: none })
    },
    close: () => setIsActive(false),
    /** Props for the element around field and list. */
    frame: {
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
        if (!currentTarget.contains(relatedTarget)) setIsActive(false)
      },
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== 'Escape' || !isOpen) return
        event.preventDefault()
        event.currentTarget.querySelector('input')?.focus()
        setIsActive(false)
      },
    },
    field: {
      role: 'combobox',
      'aria-expanded': isOpen,
      'aria-controls': isOpen ? `${id}-list` : undefined,
      'aria-activedescendant': highlighted,
      'aria-autocomplete': 'list' as const,
      autoComplete: 'off',
      autoCapitalize: 'off',
      spellCheck: false,
      onKeyDown,
    },
    list: { id: `${id}-list`, role: 'listbox', 'aria-label': label },
  }
}
