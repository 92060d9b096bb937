import type { IconNode } from 'lucide'

/** Returns the icon as it is drawn where text is read from right to left: mirrored, because it points where the text goes. */
export function mirrored(icon: IconNode): IconNode {
  if (document.documentElement.dir !== 'rtl') return icon
  return icon.map(([tag, attributes]) => [tag, { ...attributes, transform: 'matrix(-1 0 0 1 24 0)' }])
}
