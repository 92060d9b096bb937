import { escapeName } from '../../markdown/mention-text.ts'
import { emojiNamed } from './emoji.ts'

/** What ids in Slack's texts stand for, and what becomes of what has no place here. All texts it returns are Markdown. */
export interface SlackNames {
  /** A person, as a mention that notifies nobody, or as text. `label`: the name that the text itself gives; '' without one. */
  user(id: string, label: string): string
  channel(id: string, label: string): string
  group(id: string, label: string): string
  /** Returns what stands for an address, such as a message that is here now; undefined where it stays as it is. */
  address(url: string): string | undefined
  /** Whether an emoji of this name, which is no Unicode emoji, exists here. */
  hasEmoji(name: string): boolean
  /** Counts what is not understood. Its text is shown nevertheless. */
  unknown(kind: string): void
}

/** Names for programs that post here: people and channels of theirs are text. */
export const NO_NAMES: SlackNames = {
  user: (id, label) => `@${label || escapeName(id)}`,
  channel: (id, label) => `#${label || escapeName(id)}`,
  group: (id, label) => `@${label.replace(/^@/, '') || escapeName(id)}`,
  address: () => undefined,
  hasEmoji: () => false,
  unknown: () => {},
}

/** Returns an emoji by its name in Slack, as Markdown. */
export function emojiText(slackName: string): string {
  return `:${emojiNamed(slackName).name}:`
}

/** Whether `:name:` in a text is an emoji, rather than two colons. */
export function isEmoji(slackName: string, names: SlackNames): boolean {
  return emojiNamed(slackName).code !== undefined || names.hasEmoji(slackName)
}
