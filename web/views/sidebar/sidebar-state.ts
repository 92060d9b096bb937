import { signal } from '@preact/signals'
import { readStored, store } from '../../ui/stored.ts'

/** What is typed above the list, which shows what fits it. */
export const filter = signal('')

/** The folded sections, stored by this browser. */
export const folded = signal(new Set(readStored<string[]>('folded')))

export function toggleFolded(key: string): void {
  const next = new Set(folded.value)
  if (!next.delete(key)) next.add(key)
  folded.value = next
  store('folded', [...next])
}

export type ChannelOrder = 'name' | 'activity'

/** The order of channels within a section, stored by this browser. */
export const channelOrder = signal(readStored<{ by: ChannelOrder }>('channel order')?.by ?? 'name')

export function orderChannels(by: ChannelOrder): void {
  channelOrder.value = by
  store('channel order', { by })
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
