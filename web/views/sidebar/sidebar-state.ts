import { signal } from '@preact/signals'
import { readStored, store } from '../../ui/stored.ts'
import { storedSet } from '../../ui/stored-set.ts'

/** The filter above the list. */
export const filter = signal('')

/** The folded sections, stored by this browser. */
export const [folded, toggleFolded] = storedSet('folded')

/** `hand`: the user's own, as `handOrder` has it. */
export type ChannelOrder = 'name' | 'activity' | 'hand'

/** The order of channels within a section, stored by this browser. */
export const channelOrder = signal(readStored<{ by: ChannelOrder }>('channel order')?.by ?? 'name')

export function orderChannels(by: ChannelOrder): void {
  channelOrder.value = by
  store('channel order', { by })
}

/** Ids of channels in the user's own order, stored by this browser; channels that came since are after them. */
export const handOrder = signal<readonly number[]>(readStored<{ ids: number[] }>('hand order')?.ids ?? [])

export function orderByHand(ids: readonly number[]): void {
  handOrder.value = ids
  store('hand order', { ids })
  orderChannels('hand')
}

/** Pixels. */
export const WIDTHS = { min: 220, max: 360, usual: 264 } as const

export const width = signal(within(readStored<{ px: number }>('sidebar width')?.px ?? WIDTHS.usual))

export function setWidth(px: number): void {
  width.value = within(px)
  store('sidebar width', { px: width.value })
}

function within(px: number): number {
  return Math.max(WIDTHS.min, Math.min(WIDTHS.max, Math.round(px)))
}
