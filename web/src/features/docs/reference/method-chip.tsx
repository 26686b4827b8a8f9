import type { EndpointSummary } from './reference.ts'

export const MethodChip = ({ method }: { method: EndpointSummary['method'] }) => (
  <span className="w-fit self-start rounded-chip border border-control px-1 font-mono text-micro leading-5">
    {method}
  </span>
)
