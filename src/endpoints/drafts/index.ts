import type { Endpoint } from '../define-endpoint.ts'

export const DRAFT_ENDPOINTS: readonly Endpoint[] = []
