import type { Endpoint } from '../define-endpoint.ts'

export const REACTION_ENDPOINTS: readonly Endpoint[] = []
