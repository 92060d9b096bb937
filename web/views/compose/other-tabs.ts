import { cursorToEnd, place, saveNow, showKept } from './compose-state.ts'
import { storageKey } from './kept-drafts.ts'

// The tabs of a browser have one draft for each conversation: the text that was typed last.

window.addEventListener('storage', ({ key }) => {
  if (key !== storageKey(place.value.key)) return
  showKept()
  cursorToEnd()
})

// A hidden tab's timers are late, and the user may go on in another one.
document.addEventListener('visibilitychange', saveNow)
