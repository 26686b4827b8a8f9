import { reference } from 'virtual:reference'
import { ChevronRight } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { site } from '#messages/site.ts'
import { MethodChip } from './method-chip.tsx'
import type { EndpointSummary } from './reference.ts'

// Thousands of fields, of which a reader opens few.
const loadDetails = () => import('./endpoint-details.tsx').then(({ EndpointDetails }) => ({ default: EndpointDetails }))
const EndpointDetails = lazy(loadDetails)

const byName = new Map(reference.endpoints.map((endpoint) => [endpoint.name, endpoint]))

export const Endpoints = ({ names }: { names: readonly string[] }) => (
  <ul className="my-6 border-line border-t">
    {names.map((name) => {
      const endpoint = byName.get(name)
      if (!endpoint) throw new Error(`The contract has no ${name}`)
      return (
        <li key={name} className="border-line border-b">
          <Endpoint endpoint={endpoint} />
        </li>
      )
    })}
  </ul>
)

const Endpoint = ({ endpoint: { name, method, path, summary } }: { endpoint: EndpointSummary }) => {
  const [wasOpened, setWasOpened] = useState(false)
  return (
    <details id={name} className="group scroll-mt-20 md:scroll-mt-6" onToggle={() => setWasOpened(true)}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a button */}
      <summary
        onPointerEnter={loadDetails}
        onFocus={loadDetails}
        className="flex cursor-pointer list-none items-baseline gap-3 py-3 [&::-webkit-details-marker]:hidden"
      >
        <ChevronRight aria-hidden size={16} className="shrink-0 self-center text-muted group-open:rotate-90" />
        <span className="grid min-w-0 grow gap-x-3 gap-y-0.5 sm:grid-cols-[3.5rem_1fr]">
          <MethodChip method={method} />
          <code className="font-mono text-small">{path}</code>
          <span className="text-muted text-small sm:col-start-2">{summary}</span>
        </span>
      </summary>
      {wasOpened && (
        <div className="pb-6 sm:ps-7">
          <Suspense fallback={<p className="text-muted text-small">{site.layout.loading}</p>}>
            <EndpointDetails name={name} />
          </Suspense>
        </div>
      )}
    </details>
  )
}
