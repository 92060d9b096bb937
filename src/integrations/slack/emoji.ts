import { emojiCodeByName, emojiNamesByCode } from '../../markdown/emoji-data.ts'
import { escapeName } from '../../markdown/mention-text.ts'
import { slackEmojiTable } from './emoji-table.ts'

let codes: Map<string, string> | undefined

function codeOf(name: string): string | undefined {
  // Built at first use, to keep the start of the Worker cheap.
  codes ??= new Map(
    slackEmojiTable.split(/[\n,]/).flatMap((entry) => {
      const [code = '', ...names] = entry.split(' ')
      return names.map((each) => [each, code] as const)
    }),
  )
  return codes.get(name) ?? emojiCodeByName(name) ?? FORMER_NAMES.get(name)
}

/** Names that Slack's table does not have any more, but old messages do. */
const FORMER_NAMES = new Map([['simple_smile', '1f642']])

/** An emoji under our name. */
interface NamedEmoji {
  readonly name: string
  /** Code points in hexadecimal; undefined for anything but Unicode emoji, such as custom ones. */
  readonly code: string | undefined
}

/** A skin tone in a name, as in Rocket.Chat and in Mattermost. */
const TONE = /_(?:tone\d|(?:light|medium_light|medium|medium_dark|dark)_skin_tone)$/

/**
 * Returns the emoji with this name in Slack, or in another program with the same names. Skin tones are dropped: `clap::skin-tone-2`,
 * `clap_tone2`, `clap_dark_skin_tone`.
 */
export function emojiNamed(slackName: string): NamedEmoji {
  const [whole = ''] = slackName.split('::', 1)
  const plain = whole.replace(TONE, '')
  // A custom emoji may have such a name too.
  const name = codeOf(plain) === undefined ? whole : plain
  const code = codeOf(name)
  return { name: (code && emojiNamesByCode(code)[0]) || name, code }
}

/** Resolves the ids in Slack's texts, and whatever has no equivalent here. All returned texts are Markdown. */
export interface SlackNames {
  /** A user, as a silent mention or as text. `label`: the name given in the text; '' without one. */
  user(id: string, label: string): string
  channel(id: string, label: string): string
  group(id: string, label: string): string
  /** Returns the replacement for an address, such as that of an imported message; undefined to keep it. */
  address(url: string): string | undefined
  /** Whether a custom emoji of this name exists here. */
  hasEmoji(name: string): boolean
  /** Returns what was typed, from the text of an element of rich text. */
  typed(text: string): string
  /** Counts an unknown element, whose text is shown anyway. */
  unknown(kind: string): void
}

/** Names for programs that post here: their people and channels become text. */
export const NO_NAMES: SlackNames = {
  user: (id, label) => `@${label || escapeName(id)}`,
  channel: (id, label) => `#${label || escapeName(id)}`,
  group: (id, label) => `@${label.replace(/^@/, '') || escapeName(id)}`,
  address: () => undefined,
  hasEmoji: () => false,
  typed: (text) => text,
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
