import type { Endpoint } from '../define-endpoint.ts'
import { createUserEndpoint } from './create-user.ts'

export const USER_ENDPOINTS: readonly Endpoint[] = [createUserEndpoint]
