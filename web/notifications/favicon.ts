import icon from '../icon.svg?raw'

/** A dot at the upper right, with an edge that sets it off from the sign. */
const DOT = '<circle cx="25" cy="7" r="6.5" fill="#e5484d" stroke="#fff" stroke-width="1.500"/>'

let usual: string | undefined

/** Shows in the tab's icon whether something is unread for the user. */
export function markIcon(isUnread: boolean): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
  if (!link) return
  usual ??= link.href
  const marked = icon.replace('</svg>', `${DOT}</svg>`)
  link.href = isUnread ? `data:image/svg+xml,${encodeURIComponent(marked)}` : usual
}
