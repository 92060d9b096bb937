/** Bits of `message_index.bits`, for tests that write rows of messages. */
export const MESSAGE_BIT = { hasLink: 2, hasImage: 4 } as const

/** Bits of `message_flag.bits`, for tests that write rows of flags. */
export const FLAG_BIT = { starred: 1, mentioned: 4 } as const
