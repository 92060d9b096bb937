import type { Endpoint } from '../../api/define-endpoint.ts'
import { getUserStatusEndpoint } from './get-user-status.ts'
import { setUserStatusEndpoint } from './set-user-status.ts'
import { updateOwnStatusEndpoint } from './update-own-status.ts'

export const USER_STATUS_ENDPOINTS: readonly Endpoint[] = [
  getUserStatusEndpoint,
  setUserStatusEndpoint,
  updateOwnStatusEndpoint,
]
