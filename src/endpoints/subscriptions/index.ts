import type { Endpoint } from '../define-endpoint.ts'

export const SUBSCRIPTION_ENDPOINTS: readonly Endpoint[] = []
