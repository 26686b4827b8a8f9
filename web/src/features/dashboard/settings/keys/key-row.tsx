import type { ApiKey } from '@countersign/sdk/contract'
import { quote } from '@countersign/sdk/words'
import type { ReactNode } from 'react'
import { settingsTab } from '#messages/dashboard/settings.ts'
import { formatDay, formatList, formatTime } from '#messages/site.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import { Chip } from '../../../../ui/values/chip.tsx'
import { InlineCode } from '../../../../ui/values/inline-code.tsx'
import { keyStateOf } from './key-rules.ts'

const words = settingsTab.keys

interface KeyRowProps {
  apiKey: ApiKey
  /** Also for inactive keys: a leak may be discovered later. Omitted once reported. */
  onRevoke?: (key: ApiKey) => void
}

/** A key: its name, prefix, permissions, and dates. */
export const KeyRow = ({ apiKey, onRevoke }: KeyRowProps) => {
  const { name, key_prefix, scopes, created_at, last_used_at, expires_at } = apiKey
  const isEnded = keyStateOf(apiKey) !== 'active'
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 border-line border-t py-4 text-small">
      <div className="grid min-w-0 gap-1.5">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <span className="wrap-anywhere font-semibold">{quote(name)}</span>
          <Chip>{words.state[keyStateOf(apiKey)]}</Chip>
        </p>
        <p>
          <InlineCode>{words.masked(key_prefix)}</InlineCode>
        </p>
        <p className="text-muted">
          {words.may(scopes === null ? words.everything : formatList(scopes.map((scope) => words.scopes[scope])))}
        </p>
        <p className="flex flex-wrap gap-x-4 text-muted">
          <Part>{words.created(formatDay(created_at))}</Part>
          <Part>{last_used_at === null ? words.neverUsed : words.used(formatTime(last_used_at))}</Part>
          <Part>{endOf(apiKey) ?? (expires_at === null ? words.never : words.expires(formatDay(expires_at)))}</Part>
        </p>
      </div>
      {onRevoke && (
        <Button
          aria-haspopup="dialog"
          aria-label={(isEnded ? words.revoke.reportOf : words.revoke.of)(quote(name))}
          onClick={() => onRevoke(apiKey)}
        >
          {isEnded ? words.revoke.report : words.revoke.button}
        </Button>
      )}
    </li>
  )
}

const Part = ({ children }: { children: ReactNode }) => <span>{children}</span>

const endOf = ({ revoked_at, is_active, expires_at }: ApiKey): string | undefined => {
  if (revoked_at !== null) return words.endedAt.revoked(formatTime(revoked_at))
  return is_active || expires_at === null ? undefined : words.endedAt.expired(formatTime(expires_at))
}
