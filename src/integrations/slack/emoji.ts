import { emojiCodeByName, emojiNamesByCode } from '../../markdown/emoji-data.ts'
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
export interface NamedEmoji {
  readonly name: string
  /** Code points in hexadecimal; undefined for what is no Unicode emoji, such as an organization's own. */
  readonly code: string | undefined
}

/** Returns the emoji of a name in Slack, or in another program with the same names. Skin tones are dropped: `clap::skin-tone-2`. */
export function emojiNamed(slackName: string): NamedEmoji {
  const [name = ''] = slackName.split('::', 1)
  const code = codeOf(name)
  return { name: (code && emojiNamesByCode(code)[0]) || name, code }
}
