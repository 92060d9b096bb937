import { useLayoutEffect, useRef } from 'preact/hooks'

/**
 * Gives the focus back to what had it when an action began: a button that is disabled meanwhile loses it. Returns a function to call
 * before that.
 */
export function useKeptFocus(isBusy: boolean): () => void {
  const before = useRef<HTMLElement>(undefined)
  useLayoutEffect(() => {
    if (isBusy) return
    if (document.activeElement === document.body || document.activeElement === null) before.current?.focus()
    before.current = undefined
  }, [isBusy])
  return () => {
    before.current = document.activeElement as HTMLElement
  }
}
