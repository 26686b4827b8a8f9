import type { NotificationSettings } from '@countersign/sdk/contract'
import useSWR from 'swr'
import { client } from '../../../data/client.ts'

/** The email notifications. A change is shown immediately and reverted if it fails. */
export const useNotifications = () => {
  const { data, error, mutate } = useSWR<NotificationSettings, unknown>(['own-notifications'], () =>
    client.account.notifications(),
  )
  return {
    settings: data,
    failure: error,
    again: () => mutate(),
    choose: (name: keyof NotificationSettings, isOn: boolean) =>
      mutate(() => client.account.setNotifications({ [name]: isOn }), {
        optimisticData: (known, shown) => ({ ...(known ?? shown ?? defaults), [name]: isOn }),
        rollbackOnError: true,
        revalidate: false,
        throwOnError: true,
      }),
  }
}

const defaults: NotificationSettings = { incident_reported: true, weekly_reports: false, security_alerts: true }
