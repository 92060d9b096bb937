import { t } from '../../texts/texts.ts'

/** Pixels, and lines of code, above which a text is folded; message.css says how much of it stays. */
const MOST_HEIGHT = 400
const MOST_CODE_LINES = 20
/** Letters of a line on a phone, and lines of a picture. */
const LETTERS = 30
const PICTURE_LINES = 8
/** Fewer lines are never too high, so that they need not be measured. */
const FEWEST_LINES = 14

/** Sent by a text before it is folded or unfolded: the reader's eyes are on it. */
export const FOLDING = 'folding'
export interface Folding {
  readonly opens: boolean
}

/** What a text keeps when it is drawn again. */
export interface FoldState {
  isOpen: boolean
  /** Unfolds the text if an element is out of sight that gets the focus. */
  reveal?: (element: Element) => void
}

/** Folds a long text, whose button shows all of it. */
export function fold(text: HTMLElement, state: FoldState): void {
  delete state.reveal
  if (!isLong(text)) {
    delete text.dataset.fold
    return
  }
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'fold-toggle'
  button.tabIndex = -1
  const show = () => {
    text.dataset.fold = state.isOpen ? 'open' : 'closed'
    button.textContent = state.isOpen ? t.message.showLess : t.message.showMore
    button.setAttribute('aria-expanded', String(state.isOpen))
  }
  const toggle = () => {
    const detail: Folding = { opens: !state.isOpen }
    text.dispatchEvent(new CustomEvent(FOLDING, { bubbles: true, detail }))
    state.isOpen = !state.isOpen
    show()
  }
  button.addEventListener('click', toggle)
  state.reveal = (element) => {
    if (!state.isOpen && element !== button && isBelow(element, button)) toggle()
  }
  text.append(button)
  show()
}

function isLong(text: HTMLElement): boolean {
  delete text.dataset.fold
  const codes = [...text.querySelectorAll('pre')].map((pre) => linesOf(pre.textContent))
  if (codes.some((lines) => lines > MOST_CODE_LINES)) return true
  const blocks = text.querySelectorAll('p, br, li, tr, h1, h2, h3, h4, h5, h6').length
  const lines =
    (text.textContent?.length ?? 0) / LETTERS +
    blocks +
    codes.reduce((sum, count) => sum + count, 0) +
    text.querySelectorAll('img:not(.emoji), video').length * PICTURE_LINES
  return lines > FEWEST_LINES && text.scrollHeight > MOST_HEIGHT
}

function linesOf(code: string | null): number {
  return (code ?? '').trimEnd().split('\n').length
}

function isBelow(element: Element, button: Element): boolean {
  return element.getBoundingClientRect().bottom > button.getBoundingClientRect().top
}
