/** Reasons for which a message can be reported, in the moderators' words. */
export const REPORT_REASONS = {
  spam: 'Spam',
  harassment: 'Harassment',
  inappropriate: 'Inappropriate content',
  norms: 'Violates community norms',
  other: 'Other reason',
} as const

export type ReportType = keyof typeof REPORT_REASONS
export const REPORT_TYPES = Object.keys(REPORT_REASONS) as ReportType[]
