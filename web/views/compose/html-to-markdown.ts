import Turndown from 'turndown'
import { fenceAround } from '../../state/message-parts.ts'
import { STYLE } from './pasted-html.ts'

/** Returns the body of a pasted document as Markdown: formats that Markdown has are kept, everything else is text. */
export function markdownOf(body: HTMLElement): string {
  const service = new Turndown({
    bulletListMarker: '*',
    codeBlockStyle: 'fenced',
    emDelimiter: '*',
    hr: '---',
    br: '',
  })
  // Messages show a backslash before a sign.
  service.escape = (text) => text
  // The last matching rule wins.
  service
    // Google's documents are one bold element that is not bold.
    .addRule('plain', { filter: ['b', 'strong', 'i', 'em'], replacement: (content) => content })
    .addRule('picture', {
      filter: 'img',
      replacement: (_, node) => (node as Element).getAttribute('alt') ?? '',
    })
    .addRule('heading', {
      filter: ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
      replacement: (content) => `\n\n${wrapped(content.replaceAll('**', ''), '**')}\n\n`,
    })
    .addRule('bold', {
      filter: (node) => isStyled(node, ['B', 'STRONG'], /font-weight:\s*(?:bold|[6-9]00)/),
      replacement: (content) => wrapped(content, '**'),
    })
    .addRule('italic', {
      filter: (node) => isStyled(node, ['I', 'EM'], /font-style:\s*italic/),
      replacement: (content) => wrapped(content, '*'),
    })
    .addRule('strike', {
      filter: (node) => isStyled(node, ['S', 'DEL', 'STRIKE'], /text-decoration[^;]*line-through/),
      replacement: (content) => wrapped(content, '~~'),
    })
    .addRule('link', {
      filter: 'a',
      replacement: (content, node) => linked(content, (node as Element).getAttribute('href') ?? ''),
    })
    .addRule('item', { filter: 'li', replacement: item })
    .addRule('checkbox', {
      filter: (node) => node.nodeName === 'INPUT' && node.getAttribute('type') === 'checkbox',
      replacement: (_, node) => ((node as Element).hasAttribute('checked') ? '[x] ' : '[ ] '),
    })
    .addRule('block', { filter: 'pre', replacement: (_, node) => fenced(node as Element) })
    .addRule('cell', { filter: ['td', 'th'], replacement: cell })
    .addRule('row', { filter: 'tr', replacement: row })
    .addRule('table', {
      filter: 'table',
      replacement: (content, node) =>
        isTable(node as Element) ? `\n\n${content.replaceAll(/\n{2,}/g, '\n').trim()}\n\n` : content,
    })
  return service.turndown(body).replaceAll('\u00a0', ' ').trim()
}

type StyledNode = Parameters<Turndown.FilterFunction>[0]

function isStyled(node: StyledNode, names: readonly string[], style: RegExp): boolean {
  const own = node.getAttribute(STYLE) ?? ''
  if (node.nodeName === 'SPAN') return style.test(own)
  return names.includes(node.nodeName) && !/font-(?:weight:\s*(?:normal|400)|style:\s*normal)/.test(own)
}

/** Marks end at a line break, and do not work next to a space. */
function wrapped(content: string, mark: string): string {
  return content
    .split('\n')
    .map((line) => {
      const words = line.trim()
      if (words === '' || (words.startsWith(mark) && words.endsWith(mark))) return line
      return line.replace(words, () => `${mark}${words}${mark}`)
    })
    .join('\n')
}

function linked(content: string, address: string): string {
  const words = oneLine(content).replaceAll('[', '(').replaceAll(']', ')')
  if (words === '' || !/^(?:https?:|mailto:)/i.test(address)) return content
  const target = address
    .replaceAll(/[\s<>]/g, encodeURIComponent)
    .replaceAll('(', '%28')
    .replaceAll(')', '%29')
  return words === address ? address : `[${words}](${target})`
}

function oneLine(text: string): string {
  return text.split(/\s+/).filter(Boolean).join(' ')
}

function item(content: string, node: Node): string {
  const list = node.parentNode as Element
  const items = [...list.children].filter(({ nodeName }) => nodeName === 'LI')
  const first = Number(list.getAttribute('start') ?? 1) || 1
  const sign = list.nodeName === 'OL' ? `${first + items.indexOf(node as Element)}. ` : '* '
  const text = content
    .trim()
    .split('\n')
    // A blank line would make paragraphs of the items.
    .filter((line) => line.trim() !== '')
    .join(`\n${' '.repeat(sign.length)}`)
  return `${sign}${text}${node.nextSibling ? '\n' : ''}`
}

function fenced(pre: Element): string {
  for (const br of pre.querySelectorAll('br')) br.replaceWith('\n')
  const code = (pre.textContent ?? '').replace(/\n$/, '')
  const named = `${pre.className} ${pre.querySelector('code')?.className ?? ''} ${pre.parentElement?.className ?? ''}`
  const language = /(?:language-|lang-|highlight-source-)([\w+#-]+)/.exec(named)?.[1] ?? ''
  const fence = fenceAround(code)
  return `\n\n${fence}${language}\n${code}\n${fence}\n\n`
}

/** Whether it holds data: a table of one column, or of tables, is only a layout. */
function isTable(table: Element | null): boolean {
  if (!table || table.querySelector('table')) return false
  return [...table.querySelectorAll('tr')].some(({ children }) => children.length > 1)
}

function cell(content: string, node: Node): string {
  if (!isTable((node as Element).closest('table'))) return `\n\n${content}\n\n`
  return `| ${oneLine(content).replaceAll('|', '\\|')} `
}

function row(content: string, node: Node): string {
  const table = (node as Element).closest('table')
  if (!isTable(table)) return content
  const isFirst = table!.querySelector('tr') === node
  const columns = (node as Element).children.length
  return `\n${content}|${isFirst ? `\n${'| --- '.repeat(columns)}|` : ''}`
}
