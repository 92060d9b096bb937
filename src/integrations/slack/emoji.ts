import { emojiCodeByName, emojiNamesByCode } from '../../markdown/emoji-data.ts'
import { escapeName } from '../../markdown/mention-text.ts'
import { slackEmojiTable } from './emoji-table.ts'

let codes: Map<string, string> | undefined

function codeOf(name: string): string | undefined {
  // Built at first use, so that a start of the Worker does not pay for it.
  codes ??= new Map(
    slackEmojiTable.split(/[\n,]/).flatMap((entry) => {
      const [code = '', ...names] = entry.split(' ')
      return names.map((each) => [each, code] as const)
    }),
  )
  return codes.get(name) ?? emojiCodeByName(name)
}

/** An emoji under our name. */
interface NamedEmoji {
  readonly name: string
  /** Code points in hexadecimal; undefined for what is no Unicode emoji, such as an organization's own. */
  readonly code: string | undefined
}

/** A skin tone in a name: as Rocket.Chat has it, and as Mattermost does. */
const TONE = /_(?:tone\d|(?:light|medium_light|medium|medium_dark|dark)_skin_tone)$/

/**
 * Returns the emoji of a name in Slack, or in another program with the same names. Skin tones are dropped: `clap::skin-tone-2`, `clap_tone2`,
 * `clap_dark_skin_tone`.
 */
export function emojiNamed(slackName: string): NamedEmoji {
  const [whole = ''] = slackName.split('::', 1)
  const plain = whole.replace(TONE, '')
  // A custom emoji may have such a name too.
  const name = codeOf(plain) === undefined ? whole : plain
  const code = codeOf(name)
  return { name: (code && emojiNamesByCode(code)[0]) || name, code }
}

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
