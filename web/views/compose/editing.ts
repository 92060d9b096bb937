import type { Change, Selected } from '../../state/markdown-edit.ts'

/** Replaces the selection with a text, by the browser's command, so that its "undo" works. */
export function put(box: HTMLTextAreaElement, text: string): void {
  if (document.execCommand('insertText', false, text)) return
  box.setRangeText(text, box.selectionStart, box.selectionEnd, 'end')
  box.dispatchEvent(new InputEvent('input', { bubbles: true }))
}

export function selectedIn({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): Selected {
  return { text: value, start: selectionStart, end: selectionEnd }
}

/** Changes the text in a box, which gets the focus. */
export function change(box: HTMLTextAreaElement, { from, to, inserted, start, end }: Change): void {
  box.focus({ preventScroll: true })
  box.setSelectionRange(from, to)
  put(box, inserted)
  box.setSelectionRange(start, end)
}

/** Puts a text at the cursor of a box, which gets the focus once a menu or picker has returned that to its button. */
export function insertLater(box: { readonly current: HTMLTextAreaElement | null }, inserted: string): void {
  setTimeout(() => {
    if (!box.current) return
    const { selectionStart: from, selectionEnd: to } = box.current
    const at = from + inserted.length
    change(box.current, { from, to, inserted, start: at, end: at })
  })
}
