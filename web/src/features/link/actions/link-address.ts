import type { VerificationResult } from '@countersign/sdk/contract'
import { link } from '#messages/pages/link.ts'
import { site } from '#messages/site.ts'
import { toast } from '../../../ui/controls/toast.ts'

/** From the record: the address bar may have a stranger's text around the code, which must not get into a command to copy. */
export const linkUrlOf = ({ issuer, link_code }: VerificationResult) => `${issuer}/v/${link_code}`

export const copyLink = async (url: string) => {
  try {
    await navigator.clipboard.writeText(url)
    toast.success(link.actions.copied)
  } catch {
    toast.error(site.clipboard.failed)
  }
}

// Closing the share dialog is not a failure.
export const shareLink = (url: string) => navigator.share({ url }).catch(() => undefined)
