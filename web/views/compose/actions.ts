/** The actions behind the `+` of the box, and behind `/` at the beginning of a text. */
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
