import type { Endpoint } from '../define-endpoint.ts'

export const USER_GROUP_ENDPOINTS: readonly Endpoint[] = []
