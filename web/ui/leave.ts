/** Milliseconds; as `--opening` in the style sheet. */
const LEAVING_MS = 150

/** Lets a row leave its list, and then does what removes it. A row that stays after all comes back. */
export async function leaveBefore(row: HTMLElement, act: () => Promise<unknown>): Promise<void> {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
    await act()
    return
  }
  row.style.overflow = 'hidden'
  const leaving = row.animate(
    [
      { blockSize: `${row.offsetHeight}px`, opacity: 1 },
      { blockSize: '0', opacity: 0 },
    ],
    { duration: LEAVING_MS, easing: 'ease-out', fill: 'forwards' },
  )
  await leaving.finished
  try {
    await act()
  } finally {
    leaving.cancel()
    row.style.overflow = ''
  }
}
