import type { Endpoint } from '../define-endpoint.ts'

export const SERVER_ENDPOINTS: readonly Endpoint[] = []
