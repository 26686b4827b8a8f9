import { link } from '#messages/pages/link.ts'
import { site } from '#messages/site.ts'
import { toast } from '../../../ui/controls/toast.ts'

export const linkUrl = () => `${location.origin}${location.pathname}`

export const copyLink = async () => {
  try {
    await navigator.clipboard.writeText(linkUrl())
    toast.success(link.actions.copied)
  } catch {
    toast.error(site.clipboard.failed)
  }
}

// Closing the share dialog is not a failure.
export const shareLink = () => navigator.share({ url: linkUrl() }).catch(() => undefined)
