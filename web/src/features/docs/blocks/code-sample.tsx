import { type KeyboardEvent, useId, useLayoutEffect, useRef } from 'react'
import { page } from '#messages/docs/page.ts'
import { classes } from '../../../ui/classes.ts'
import { CopyButton } from '../../../ui/controls/copy-button.tsx'
import { Code } from './code.tsx'
import { withOrigin } from './origin.ts'
import { type SampleLanguage, samplesOf } from './samples.ts'
import { useSampleLanguage } from './use-sample-language.ts'

const words = page.sample
const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 }

/** A sample in the reader's chosen language, if available. */
export const CodeSample = ({ topic, caption }: { topic: string; caption: string }) => {
  const id = useId()
  const [preferred, choose] = useSampleLanguage()
  const samples = samplesOf(topic)
  const shown = samples.find(({ language }) => language === preferred) ?? samples[0]
  const tabs = useRef<HTMLDivElement>(null)
  const stay = useStayingPut(tabs)
  if (!shown) throw new Error(`There is no sample of ${topic}`)
  const code = withOrigin(shown.code)

  const change = (language: SampleLanguage) => {
    if (samples.length === 1) return
    stay()
    choose(language)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const at = samples.indexOf(shown)
    const to = event.key === 'Home' ? 0 : event.key === 'End' ? samples.length - 1 : at + (steps[event.key] ?? 0)
    const next = samples.at(to % samples.length)
    if (!next || to === at) return
    event.preventDefault()
    change(next.language)
    tabs.current?.querySelector<HTMLElement>(`[data-language=${next.language}]`)?.focus()
  }

  return (
    <figure className="my-6 overflow-hidden rounded-surface border border-line bg-sunken">
      <figcaption className="flex items-center gap-2 border-line border-b bg-surface py-1 ps-4 pe-1 text-small">
        <span className="min-w-0 grow truncate text-muted max-sm:sr-only">{caption}</span>
        <div ref={tabs} role="tablist" aria-label={`${words.languages}: ${caption}`} className="flex max-sm:grow">
          {samples.map(({ language }) => (
            <button
              key={language}
              type="button"
              role="tab"
              id={`${id}-${language}`}
              data-language={language}
              aria-selected={language === shown.language}
              aria-controls={`${id}-panel`}
              tabIndex={language === shown.language ? 0 : -1}
              onClick={() => change(language)}
              onKeyDown={onKeyDown}
              className={classes(
                'min-h-8 cursor-pointer border-b-2 px-2 font-semibold',
                language === shown.language ? 'border-ink' : 'border-transparent text-muted hover:text-ink',
              )}
            >
              {words[language]}
            </button>
          ))}
        </div>
        <CopyButton text={`${code}\n`} what={words.copyOf(caption)} />
      </figcaption>
      <div
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${shown.language}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, also by keyboard
        tabIndex={0}
        className="overflow-x-auto p-4 -outline-offset-2!"
      >
        <Code text={code} language={shown.language} />
      </div>
    </figure>
  )
}

/** All samples change at once and may change height: keep the pressed tab in place on the screen. */
const useStayingPut = (element: React.RefObject<HTMLElement | null>) => {
  const before = useRef<number | null>(null)
  useLayoutEffect(() => {
    if (before.current === null) return
    const moved = (element.current?.getBoundingClientRect().top ?? 0) - before.current
    before.current = null
    if (moved !== 0) scrollBy({ top: moved, behavior: 'instant' })
  })
  return () => {
    before.current = element.current?.getBoundingClientRect().top ?? null
  }
}
