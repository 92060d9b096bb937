/**
 * Writes src/integrations/slack/emoji-table.ts: Slack's names of emoji that differ from ours. They are those of the package
 * `emoji-datasource`, which is large because of its pictures: unpack it somewhere, and give the path of its `emoji.json`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { unqualifiedEmojiCode } from '../src/core/emoji-code.ts'
import { emojiCodeByName, emojiNamesByCode } from '../src/markdown/emoji-data.ts'
import { fromJson } from './json.ts'

interface SlackEmoji {
  readonly unified: string
  readonly short_names: readonly string[]
}

const [path = 'emoji.json'] = process.argv.slice(2)
const tableFile = new URL('../src/integrations/slack/emoji-table.ts', import.meta.url)
const namesPerLine = 8

/** Returns our code for an emoji, with or without variation selectors. */
function knownCode({ unified }: SlackEmoji): string | undefined {
  const code = unqualifiedEmojiCode(unified.toLowerCase())
  return emojiNamesByCode(code).length > 0 ? code : undefined
}

const entries: string[] = []
for (const emoji of fromJson<SlackEmoji[]>(readFileSync(path, 'utf8'))) {
  const code = knownCode(emoji)
  if (code === undefined) continue
  const names = emoji.short_names.filter((name) => emojiCodeByName(name) !== code)
  if (names.length > 0) entries.push([code, ...names].join(' '))
}
entries.sort()
const lines: string[] = []
for (let start = 0; start < entries.length; start += namesPerLine) {
  lines.push(entries.slice(start, start + namesPerLine).join(','))
}
writeFileSync(
  tableFile,
  `// Written by scripts/build-slack-emoji.ts; do not edit.
/** Emoji for which Slack has other names than we do, separated by commas and line breaks: the code, then Slack's names. */
export const slackEmojiTable = \`${lines.join('\n')}\`
`,
)
