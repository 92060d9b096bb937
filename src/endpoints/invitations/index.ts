import type { Endpoint } from '../define-endpoint.ts'

export const INVITATION_ENDPOINTS: readonly Endpoint[] = []
