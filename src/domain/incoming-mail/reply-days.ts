/** The days for which a mail of missed messages can be answered. */
export const REPLY_DAYS = 90
