/** Days for which mail about missed messages can be answered. */
export const REPLY_DAYS = 90
