/** The setting of the environment for the audit log. */
export interface AuditLogEnvironment {
  /** Days for which entries are kept; a year unless set. */
  readonly AUDIT_LOG_DAYS?: string
}

const YEAR = 365
const TEN_YEARS = 3_650

/** Reads the setting. Anything but a whole number of days from 1 to ten years counts as not set. */
export function auditLogDays({ AUDIT_LOG_DAYS }: AuditLogEnvironment): number {
  const days = Number(AUDIT_LOG_DAYS ?? YEAR)
  return Number.isInteger(days) && days >= 1 && days <= TEN_YEARS ? days : YEAR
}
