import { TEXTS } from '../../../texts/compiled/channel-notice.ts'

/** Reasons for which a message can be reported, in the moderators' words. */
export const REPORT_REASONS = TEXTS.en.report.reasons

export type ReportType = keyof typeof REPORT_REASONS
export const REPORT_TYPES = Object.keys(REPORT_REASONS) as ReportType[]
