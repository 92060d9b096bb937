import { signal } from '@preact/signals'
import { placeChannel, stepChannel } from './channel-order.ts'

/** The channel that is being dragged, and where it would be dropped. */
const dragged = signal<{ readonly id: number; readonly section: readonly number[] } | undefined>(undefined)
const target = signal<{ readonly id: number; readonly isAfter: boolean } | undefined>(undefined)

const KIND = 'application/x-parley-channel'

/** Returns the attributes that make the row of a channel draggable, or movable by Alt with an arrow, within its section. */
export function orderingOf(section: readonly number[], id: number) {
  const isTarget = target.value?.id === id
  return {
    'data-channel': id,
    'data-drop': isTarget ? (target.value?.isAfter ? 'after' : 'before') : undefined,
    onDragStart: (event: DragEvent) => {
      // The rows of topics are below it.
      if (!(event.target as Element).closest('.sidebar-channel')) return
      event.dataTransfer?.setData(KIND, String(id))
      if (event.dataTransfer) event.dataTransfer.effectAllowed = 'all'
      dragged.value = { id, section }
    },
    onDragEnd: () => {
      dragged.value = undefined
      target.value = undefined
    },
    onDragOver: (event: DragEvent) => {
      if (!dragged.value?.section.includes(id)) return
      event.preventDefault()
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'move'
      const isAfter = isInLowerHalf(event)
      if (target.value?.id !== id || target.value.isAfter !== isAfter) target.value = { id, isAfter }
    },
    onDrop: (event: DragEvent) => {
      const moved = dragged.value?.id
      if (moved === undefined || !dragged.value?.section.includes(id)) return
      event.preventDefault()
      const others = section.filter((one) => one !== moved)
      if (moved !== id) placeChannel(section, moved, others.indexOf(id) + (isInLowerHalf(event) ? 1 : 0))
      dragged.value = undefined
      target.value = undefined
    },
    onKeyDown: (event: KeyboardEvent) => {
      const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : undefined
      if (!event.altKey || step === undefined || !(event.target as Element).closest('.sidebar-channel'))
        return
      event.preventDefault()
      stepChannel(section, id, step)
      // A row that has moved in the document has lost the focus.
      requestAnimationFrame(() =>
        document.querySelector<HTMLElement>(`[data-channel="${id}"] .sidebar-channel`)?.focus(),
      )
    },
  }
}

function isInLowerHalf({ currentTarget, clientY }: DragEvent): boolean {
  const row = (currentTarget as Element).querySelector('.sidebar-line') ?? (currentTarget as Element)
  const { top, height } = row.getBoundingClientRect()
  return clientY > top + height / 2
}
