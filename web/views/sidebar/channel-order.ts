import { state } from '../../chat.ts'
import { t } from '../../texts/texts.ts'
import { announce, spoken } from '../announcement.tsx'
import { channelOrder, handOrder, orderByHand, orderChannels } from './sidebar-state.ts'

/**
 * Puts a channel at a place in its section, whose ids are given in their present order. From then on the channels have the user's own
 * order; the first time that can be taken back.
 */
export function placeChannel(section: readonly number[], id: number, at: number): void {
  const list = section.filter((one) => one !== id)
  const place = Math.max(0, Math.min(at, list.length))
  list.splice(place, 0, id)
  if (list.every((one, index) => one === section[index])) return
  const before = channelOrder.value
  const order = handOrder.value
  orderByHand([...order.filter((one) => !section.includes(one)), ...list])
  spoken.value = t.sidebar.placed({
    name: state.channels.get(id)?.name ?? '',
    at: place + 1,
    of: list.length,
  })
  if (before === 'hand') return
  announce(t.sidebar.ownOrder, async () => {
    orderByHand(order)
    orderChannels(before)
  })
}

/** Moves a channel up (-1) or down (1) in its section. */
export function stepChannel(section: readonly number[], id: number, step: -1 | 1): void {
  placeChannel(section, id, section.indexOf(id) + step)
}
