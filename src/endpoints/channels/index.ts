import type { Endpoint } from '../define-endpoint.ts'

export const CHANNEL_ENDPOINTS: readonly Endpoint[] = []
