import type { contract } from '@countersign/sdk/contract'
import type { Handlers } from '../http/endpoint.ts'
import type { DeviceService } from './service.ts'

export const deviceRoutes = (devices: DeviceService): Handlers<typeof contract.devices> => ({
  begin: ({ body, visitor }) => devices.begin(body, visitor()),
  token: ({ body }) => devices.token(body),
  find: ({ caller, body, visitor }) => devices.find(caller, body.user_code, visitor()),
  approve: ({ caller, body, visitor }) => devices.approve(caller, body.user_code, visitor()),
  deny: ({ caller, body, visitor }) => devices.deny(caller, body.user_code, visitor()),
})
