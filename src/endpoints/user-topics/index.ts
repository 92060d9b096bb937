import type { Endpoint } from '../define-endpoint.ts'

export const USER_TOPIC_ENDPOINTS: readonly Endpoint[] = []
