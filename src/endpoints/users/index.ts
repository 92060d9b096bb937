import type { Endpoint } from '../define-endpoint.ts'
import { createUserEndpoint } from './create-user.ts'
import { deactivateUserEndpoint } from './deactivate-user.ts'
import { updateUserEndpoint } from './update-user.ts'

export const USER_ENDPOINTS: readonly Endpoint[] = [
  createUserEndpoint,
  deactivateUserEndpoint,
  updateUserEndpoint,
]
