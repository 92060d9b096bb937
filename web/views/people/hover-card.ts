import { state } from '../../chat.ts'
import { openUserCard, surface } from '../message/surface.ts'

/** Milliseconds for which the pointer rests on a name. */
const REST_MS = 400
/** Milliseconds in which the pointer may go from the name to its card. */
const WAY_MS = 250

const NAMES = '.message-sender, .message-avatar, .user-mention[data-user-id]'

/** Opens the card of a person on whose name the pointer rests in a list of messages, until it leaves both. Returns a function that ends it. */
export function openCardsOnRest(list: HTMLElement): () => void {
  const canHover = matchMedia('(hover: hover) and (pointer: fine)')
  let timer: ReturnType<typeof setTimeout> | undefined
  let endWatch = () => {}
  const over = (event: PointerEvent) => {
    const name = (event.target as Element).closest<HTMLElement>(NAMES)
    clearTimeout(timer)
    if (!name || surface.value || !canHover.matches || event.buttons !== 0) return
    timer = setTimeout(() => {
      const userId = userOf(name)
      if (userId === undefined || surface.value || !name.matches(':hover')) return
      openUserCard(userId, name, { onRest: true })
      endWatch = closeOnLeave(name)
    }, REST_MS)
  }
  const stop = () => clearTimeout(timer)
  list.addEventListener('pointerover', over)
  list.addEventListener('pointerdown', stop)
  list.addEventListener('pointerleave', stop)
  return () => {
    stop()
    endWatch()
    list.removeEventListener('pointerover', over)
    list.removeEventListener('pointerdown', stop)
    list.removeEventListener('pointerleave', stop)
  }
}

function userOf(name: HTMLElement): number | undefined {
  const id =
    name.dataset.userId ??
    state.messages.get(Number(name.closest<HTMLElement>('[data-id]')?.dataset.id))?.sender_id
  return state.users.has(Number(id)) ? Number(id) : undefined
}

/** Closes the card when the pointer has left the name and the card, unless something in it has the focus. */
function closeOnLeave(name: HTMLElement): () => void {
  const opened = surface.value
  let timer: ReturnType<typeof setTimeout> | undefined
  const end = () => {
    clearTimeout(timer)
    document.removeEventListener('pointerover', over)
  }
  const over = ({ target }: PointerEvent) => {
    clearTimeout(timer)
    if (surface.value !== opened) return end()
    const element = target as Element
    if (name.contains(element) || element.closest('.card')) return undefined
    timer = setTimeout(() => {
      if (surface.value === opened && !document.activeElement?.closest('.card')) surface.value = undefined
      end()
    }, WAY_MS)
    return undefined
  }
  document.addEventListener('pointerover', over)
  return end
}
