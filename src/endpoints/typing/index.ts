import type { Endpoint } from '../define-endpoint.ts'

export const TYPING_ENDPOINTS: readonly Endpoint[] = []
