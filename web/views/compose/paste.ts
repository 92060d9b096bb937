import { state } from '../../chat.ts'
import { isAddress, linkOnto, pastedOf } from '../../state/pasted.ts'
import { put } from './editing.ts'

/** Pastes into a box: its browser would drop HTML without a text, and put an address in the place of what is selected. */
export function takePaste(event: ClipboardEvent, attach?: (files: readonly File[]) => void): void {
  const { clipboardData } = event
  const box = event.currentTarget
  if (!clipboardData || !(box instanceof HTMLTextAreaElement)) return
  const text = clipboardData.getData('text/plain')
  const html = clipboardData.getData('text/html')
  const files = [...clipboardData.files]
  const pasted = pastedOf({ text, htmlText: html === '' ? undefined : wordsOf(html), files })
  const link = linkOnto(box.value.slice(box.selectionStart, box.selectionEnd), pasted.text)
  const own = link ?? pasted.text
  const mayBecomeText =
    own.length <= LONGEST_ADDRESS &&
    isAddress(own) &&
    state.linkifiers.some(({ reverse_template }) => reverse_template !== null)
  // The browser itself pastes a text as it is.
  if (own !== text || mayBecomeText) {
    event.preventDefault()
    if (own !== '') put(box, own)
  }
  if (mayBecomeText) void putText(box, own)
  if (pasted.takesFiles) attach?.(files)
}

/** Of those that may become a text, in characters. */
const LONGEST_ADDRESS = 2_000

/** Puts the text of which a linkifier makes an address in the place of that, which was just pasted. To undo it gives the address back. */
async function putText(box: HTMLTextAreaElement, address: string): Promise<void> {
  const { textOfAddress } = await import('./text-of-address.ts')
  const text = textOfAddress(address, state.linkifiers)
  const end = box.selectionStart
  // Something else may have been typed while that was loaded.
  if (text === undefined || box.value.slice(end - address.length, end) !== address) return
  box.setSelectionRange(end - address.length, end)
  put(box, text)
}

const BLOCKS =
  'address, article, blockquote, div, dd, dl, dt, figure, footer, h1, h2, h3, h4, h5, h6, header, hr, li, ol, p, pre, section, table, tr, ul'
const SILENT = 'head, script, style, template, title'

/** Returns the words of HTML, with a line for each block. It is parsed where nothing is loaded and no script runs. */
function wordsOf(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const silent of body.querySelectorAll(SILENT)) silent.remove()
  for (const element of body.querySelectorAll(BLOCKS)) element.before('\n')
  for (const element of body.querySelectorAll(BLOCKS)) element.after('\n')
  for (const element of body.querySelectorAll('br')) element.replaceWith('\n')
  for (const element of body.querySelectorAll('td + td, th + th, th + td')) element.before('\t')
  return (body.textContent ?? '')
    .replaceAll('\u00a0', ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
}
