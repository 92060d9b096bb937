import type { Endpoint } from '../define-endpoint.ts'

export const UPLOAD_ENDPOINTS: readonly Endpoint[] = []
