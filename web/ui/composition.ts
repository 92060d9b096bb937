/** The `keyCode` of a key that an input method has handled, in every browser. */
const TAKEN = 229

/**
 * Whether a key belongs to an input method that composes characters. Chrome and Firefox send it while the composition goes on, on
 * some systems by the name "Process". Safari ends the composition first: there the key has its own name, and only its code shows that an
 * input method handled it.
 */
export function isOfComposition({
  isComposing,
  key,
  keyCode,
}: Pick<KeyboardEvent, 'isComposing' | 'key' | 'keyCode'>): boolean {
  return isComposing || key === 'Process' || keyCode === TAKEN
}

/**
 * Keeps the keys of an input method from all elements: Enter that picks a character never sends, saves or chooses anything else,
 * in any field. Only capturing listeners of the window still get them.
 */
export function keepCompositionsApart(): void {
  window.addEventListener(
    'keydown',
    (event) => {
      if (!isOfComposition(event)) return
      event.stopPropagation()
      // After the composition, the browser would submit a form.
      if (event.key === 'Enter' && !event.isComposing) event.preventDefault()
    },
    { capture: true },
  )
}
