import type { Endpoint } from '../../api/define-endpoint.ts'
import { getAuditLogEndpoint } from './get-audit-log.ts'

export const AUDIT_LOG_ENDPOINTS: readonly Endpoint[] = [getAuditLogEndpoint]
