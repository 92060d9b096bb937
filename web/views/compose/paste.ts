import { state } from '../../chat.ts'
import { wholeAddress } from '../../navigation.ts'
import { tableOf } from '../../state/cells.ts'
import { isInFence } from '../../state/markdown-edit.ts'
import { isAddress, linkOnto, pastedOf } from '../../state/pasted.ts'
import { put } from './editing.ts'
import { bodyOf, cellsOf, hasForms, wordsOf } from './pasted-html.ts'

/** The forms in which cells of a spreadsheet are pasted. */
export type CellForm = 'table' | 'text' | 'picture'

interface PasteOptions {
  readonly attach?: ((files: readonly File[]) => void) | undefined
  /** Asks how to paste cells; undefined without an answer. */
  readonly ask: (forms: readonly CellForm[]) => Promise<CellForm | undefined>
}

/**
 * Pastes into a box. Text from web pages and documents becomes Markdown, and cells of spreadsheets a table, if the user wants one: a browser
 * would paste plain text. It would also drop HTML without a text, and replace the selection with a pasted address.
 */
export function takePaste(event: ClipboardEvent, { attach, ask }: PasteOptions): void {
  const { clipboardData } = event
  const box = event.currentTarget
  if (!clipboardData || !(box instanceof HTMLTextAreaElement)) return
  const text = clipboardData.getData('text/plain')
  const body = bodyOf(clipboardData.getData('text/html'))
  const files = [...clipboardData.files]
  const pasted = pastedOf({ text, htmlText: body && wordsOf(body), files })
  const link = linkOnto(box.value.slice(box.selectionStart, box.selectionEnd), pasted.text)
  const own = link ?? pasted.text
  if (pasted.takesFiles) attach?.(files)
  // Code editors copy their colours, which are ignored.
  const isCode = clipboardData.types.includes('vscode-editor-data') || isInFence(textBefore(box))
  if (body && own.trim() !== '' && link === undefined && !isAddress(own.trim()) && !isCode) {
    const cells = cellsOf(body)
    const table = cells && tableOf(cells)
    if (table !== undefined && table.length <= state.server.max_message_length) {
      event.preventDefault()
      const picture = pasted.takesFiles ? [] : files
      void pasteCells(box, { table, text: own, picture }, { attach, ask })
      return
    }
    if (!cells && hasForms(body)) {
      event.preventDefault()
      void pasteMarkdown(box, body, own)
      return
    }
  }
  const mayBecomeText =
    own.length <= LONGEST_ADDRESS &&
    isAddress(own) &&
    !isCode &&
    (isOfHere(own) || state.linkifiers.some(({ reverse_template }) => reverse_template !== null))
  // The browser itself pastes a text as it is.
  if (own !== text || mayBecomeText) {
    event.preventDefault()
    if (own !== '') put(box, own)
  }
  if (mayBecomeText) void putText(box, own)
}

function textBefore({ value, selectionStart }: HTMLTextAreaElement): string {
  return value.slice(0, value.lastIndexOf('\n', selectionStart - 1) + 1)
}

async function pasteMarkdown(box: HTMLTextAreaElement, body: HTMLElement, text: string): Promise<void> {
  // Offline, plain text is pasted.
  const converted = await import('./html-to-markdown.ts').then(
    ({ markdownOf }) => markdownOf(body),
    () => text,
  )
  if (!box.isConnected) return
  const isLong = converted.length > state.server.max_message_length
  putInto(box, converted === '' || isLong ? text : converted)
}

function putInto(box: HTMLTextAreaElement, text: string): void {
  box.focus({ preventScroll: true })
  put(box, text)
}

/** The user's choice for cells, until the tab is closed. */
const FORM_KEY = 'pasted cells'

function keptForm(): CellForm | undefined {
  const kept = sessionStorage.getItem(FORM_KEY)
  return kept === 'table' || kept === 'text' || kept === 'picture' ? kept : undefined
}

interface Cells {
  readonly table: string
  readonly text: string
  readonly picture: readonly File[]
}

async function pasteCells(
  box: HTMLTextAreaElement,
  { table, text, picture }: Cells,
  { attach, ask }: PasteOptions,
): Promise<void> {
  const hasPicture = picture.length > 0 && attach !== undefined
  const kept = keptForm()
  const known = kept === 'picture' && !hasPicture ? undefined : kept
  const chosen = known ?? (await ask(hasPicture ? ['table', 'text', 'picture'] : ['table', 'text']))
  if (chosen) sessionStorage.setItem(FORM_KEY, chosen)
  if (!box.isConnected) return
  if (chosen === 'picture') attach?.(picture)
  else if (chosen === 'table') putInto(box, onOwnLines(box, table))
  else putInto(box, text)
}

/** A table begins a paragraph, and the text after it must not become a row. */
function onOwnLines({ value, selectionStart, selectionEnd }: HTMLTextAreaElement, table: string): string {
  const before = value.slice(0, selectionStart)
  const gap = before === '' || before.endsWith('\n\n') ? '' : before.endsWith('\n') ? '\n' : '\n\n'
  const after = value.slice(selectionEnd)
  return `${gap}${table}\n${after === '' || after.startsWith('\n') ? '' : '\n'}`
}

/** The characters of the longest address that may become a text. */
const LONGEST_ADDRESS = 2_000

/** Whether an address is of a view of this page. */
function isOfHere(address: string): boolean {
  return address.startsWith(wholeAddress('#narrow/'))
}

/** Replaces a pasted address with the link to its message or topic, or with the text that a linkifier turns into it. An undo restores the address. */
async function putText(box: HTMLTextAreaElement, address: string): Promise<void> {
  const text = isOfHere(address)
    ? (await import('./link-of-address.ts')).linkOfAddress(address)
    : (await import('./text-of-address.ts')).textOfAddress(address, state.linkifiers)
  const end = box.selectionStart
  // The user may have typed meanwhile.
  if (text === undefined || box.value.slice(end - address.length, end) !== address) return
  box.setSelectionRange(end - address.length, end)
  put(box, text)
}
