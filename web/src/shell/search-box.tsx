import { quote } from '@countersign/sdk/words'
import { Search } from 'lucide-react'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { search } from '#messages/pages/search.ts'
import { registryHost } from '../data/registry.ts'
import { type Answer, searchPath, useQuickSearch } from '../data/search.ts'
import { useCombobox } from '../hooks/use-combobox.ts'
import { classes } from '../ui/classes.ts'
import { useSlashKey } from './use-slash-key.ts'

const words = search

/** The header's search: the best results while typing; Enter opens a link, code, ID or domain, or all results. */
export const SearchBox = () => {
  const navigate = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const answer = useQuickSearch(text)
  const urls = answer ? [...answer.providers, ...answer.models].map(({ url }) => url) : []
  const leave = () => {
    setText('')
    close()
  }
  const choose = (index: number) => {
    const url = urls[index]
    if (url === undefined) return
    leave()
    void navigate(url)
  }
  const box = useCombobox({ label: words.label, count: urls.length, results: answer, choose })
  const { close } = box
  useSlashKey(input)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const query = text.trim()
    if (query === '') return
    close()
    const { findPath } = await import('../data/find-path.ts')
    await navigate(await findPath(query, { ownHost: registryHost }))
  }

  return (
    <search {...box.frame} className="relative w-full max-w-md">
      <form onSubmit={submit}>
        <Search aria-hidden size={16} className="pointer-events-none absolute start-3 top-3 text-muted" />
        <input
          ref={input}
          {...box.field}
          type="text"
          enterKeyHint="search"
          aria-label={words.label}
          placeholder={words.placeholder}
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            box.open()
          }}
          onClick={box.open}
          className="h-10 w-full rounded-control border border-control bg-surface ps-9 pe-3 text-small placeholder:text-muted"
        />
      </form>
      <p role="status" className="sr-only">
        {box.isOpen && words.available(urls.length)}
      </p>
      {box.isOpen && answer && <Results answer={answer} box={box} leave={leave} />}
    </search>
  )
}

interface ResultsProps {
  answer: Answer
  box: ReturnType<typeof useCombobox>
  leave: () => void
}

const Results = ({ answer, box, leave }: ResultsProps) => {
  const { providers, models, total, total_is_lower_bound, limit, query } = answer
  const countOf = (name: string, shown: number) => words.groups.count(name, shown, shown < limit)
  const optionOf = (option: number) => ({ id: box.optionId(option), isHighlighted: option === box.index, leave })
  return (
    <div className="absolute end-0 top-full z-20 mt-1.5 w-full min-w-72 overflow-hidden rounded-surface border border-line bg-surface shadow-lg">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: focus stays in the field while a result is pressed, so that the list stays open until release */}
      <div {...box.list} onMouseDown={(event) => event.preventDefault()} className="max-h-96 overflow-y-auto py-1">
        {providers.length > 0 && (
          <Group name={countOf(words.groups.providers, providers.length)}>
            {providers.map(({ id, url, title, domain, domain_verified }, index) => (
              <Option key={id} to={url} {...optionOf(index)}>
                {domain_verified ? (
                  <Lines first={domain ?? quote(title)} second={quote(title)} />
                ) : (
                  <Lines first={quote(title)} second={words.notProven} isUnproven />
                )}
              </Option>
            ))}
          </Group>
        )}
        {models.length > 0 && (
          <Group name={countOf(words.groups.models, models.length)}>
            {models.map(({ id, url, title, subtitle, version, provider_domain_verified }, index) => (
              <Option key={id} to={url} {...optionOf(providers.length + index)}>
                <Lines
                  first={words.model(title, version)}
                  second={provider_domain_verified ? (subtitle ?? '') : words.ofUnproven(quote(subtitle ?? ''))}
                  isUnproven={!provider_domain_verified}
                />
              </Option>
            ))}
          </Group>
        )}
      </div>
      <Link
        to={searchPath(query)}
        onClick={box.close}
        onMouseDown={(event) => event.preventDefault()}
        className="link flex min-h-10 items-center border-line border-t px-3 text-small"
      >
        {words.viewAll(total, total_is_lower_bound)}
      </Link>
    </div>
  )
}

const Group = ({ name, children }: { name: string; children: ReactNode }) => (
  // biome-ignore lint/a11y/useSemanticElements: a group in a listbox, for which there is no element
  <div role="group" aria-label={name}>
    <p aria-hidden className="px-3 pt-2 pb-1 font-semibold text-micro text-muted">
      {name}
    </p>
    {children}
  </div>
)

interface OptionProps {
  id: string
  to: string
  isHighlighted: boolean
  leave: () => void
  children: ReactNode
}

const Option = ({ id, to, isHighlighted, leave, children }: OptionProps) => (
  <Link
    id={id}
    to={to}
    role="option"
    aria-selected={isHighlighted}
    tabIndex={-1}
    onClick={leave}
    className={classes(
      'block px-3 py-2 text-small hover:bg-sunken',
      isHighlighted && 'bg-sunken outline-2 outline-link -outline-offset-2',
    )}
  >
    {children}
  </Link>
)

interface LinesProps {
  first: string
  second: string
  /** An unverified entry must not look like a verified one. */
  isUnproven?: boolean
}

/** Neither line is clamped: part of a domain can be another company's. */
const Lines = ({ first, second, isUnproven = false }: LinesProps) => (
  <>
    <bdi className={classes('block', !isUnproven && 'font-semibold')}>{first}</bdi>
    <bdi className={classes('block text-micro', isUnproven ? 'text-warn' : 'text-muted')}>{second}</bdi>
  </>
)
