/** Whether files are being dragged, or a picture of a page, which becomes one. */
export function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false
}

const TEXT_FIELD = 'textarea, input:not([type="file"], [type="checkbox"], [type="radio"])'

/**
 * Keeps the browser from opening a file or link that is dropped outside any target, which would leave the page. Text fields accept text, and
 * file inputs files, by themselves.
 */
export function keepDropsHere(): void {
  const refuse = (event: DragEvent) => {
    const taker = hasFiles(event) ? 'input[type="file"]' : TEXT_FIELD
    if (event.defaultPrevented || (event.target instanceof Element && event.target.closest(taker))) return
    event.preventDefault()
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'none'
  }
  window.addEventListener('dragover', refuse)
  window.addEventListener('drop', refuse)
}
