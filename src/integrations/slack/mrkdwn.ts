/** Slack's markup, as Markdown. */
import { code, codeBlock, link } from '../markdown.ts'
import { momentOf } from '../template-language.ts'

/** Marks of a part that is finished, with its number between. Texts lose theirs. */
const [OPEN, CLOSE] = ['\ue000', '\ue001']
const MARKS = /[\ue000\ue001]/g
const FINISHED = /\ue000(\d+)\ue001/g

const BLOCK_OF_CODE = /```\n?([^`]*(?:`{1,2}[^`]+)*)```/g
const CODE = /`([^`\n]+)`/g
const TOKEN = /<([^<>\n]+)>/g
const BOLD = /\*([^*\n]+)\*/g
const STRUCK = /~([^~\n]+)~/g
const ITALIC = /_([^_\n]+)_/g

/** What may stand beside a mark of emphasis. */
const BORDER = /^[\s()[\]{}"'.,:;!?*_~\ue000\ue001-]?$/

/** Returns a text in Slack's markup as Markdown. Whom it mentions is text: nobody is notified. */
export function markdownOf(mrkdwn: string): string {
  const finished: string[] = []
  const keep = (markdown: string) => `${OPEN}${finished.push(markdown) - 1}${CLOSE}`
  const text = mrkdwn
    .replace(MARKS, '')
    .replace(BLOCK_OF_CODE, (_, inside: string) => keep(`\n${codeBlock(unescaped(inside))}\n`))
    .replace(CODE, (_, inside: string) => keep(code(unescaped(inside))))
    .replace(TOKEN, (_, token: string) => keep(ofToken(token)))
  const emphasized = emphasis(emphasis(emphasis(text, BOLD, '**'), STRUCK, '~~'), ITALIC, '*')
  return unescaped(emphasized)
    .replaceAll(/^• /gm, '* ')
    .replace(FINISHED, (_, at: string) => finished[Number(at)] ?? '')
    .trim()
}

function emphasis(text: string, marked: RegExp, mark: string): string {
  return text.replace(marked, (whole: string, inside: string, at: number) => {
    const isApart = BORDER.test(text.charAt(at - 1)) && BORDER.test(text.charAt(at + whole.length))
    return isApart && inside === inside.trim() ? `${mark}${inside}${mark}` : whole
  })
}

function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

/** Returns what stands between angle brackets: a link, a mention, a date. */
function ofToken(token: string): string {
  const [target = '', ...rest] = token.split('|')
  const label = unescaped(rest.join('|'))
  if (target.startsWith('!date^')) {
    const moment = momentOf({ text: target.split('^')[1] ?? '' })
    return moment === undefined ? label : `<time:${moment}>`
  }
  if (target.startsWith('!subteam^')) return label || '@group'
  if (target.startsWith('!')) return `@${target.slice(1)}`
  if (target.startsWith('@')) return label ? `@${label}` : target
  if (target.startsWith('#')) return label ? `#${label}` : target
  if (/^(?:mailto|tel):/.test(target)) return label || target.replace(/^\w+:/, '')
  const address = unescaped(target)
  return label === '' ? address : link(label, address)
}
