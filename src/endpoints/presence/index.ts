import type { Endpoint } from '../define-endpoint.ts'

export const PRESENCE_ENDPOINTS: readonly Endpoint[] = []
