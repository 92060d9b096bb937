import type { Endpoint } from '../define-endpoint.ts'

export const REALM_ENDPOINTS: readonly Endpoint[] = []
