/** What the `+` of the box offers, and `/` at the beginning of a text. */
export const WRITING_ACTIONS = [
  'file',
  'gif',
  'poll',
  'todo',
  'snippet',
  'schedule',
  'reminder',
  'voice',
  'videoCall',
  'voiceCall',
] as const

export type WritingAction = (typeof WRITING_ACTIONS)[number]
