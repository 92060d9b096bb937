import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { t } from '../texts/texts.ts'
import { Button } from './button.tsx'
import { Empty } from './empty.tsx'

/** Milliseconds after which what waits for an idle browser is done in any case. */
const IDLE_AFTER_MS = 1_000

/** Resolves when the browser has nothing else to do: what is on the screen comes before what may be needed next. */
export function whenIdle(): Promise<void> {
  return new Promise((resolve) => {
    // Safari has no such callback.
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: IDLE_AFTER_MS })
    else setTimeout(resolve, IDLE_AFTER_MS / 4)
  })
}

/** Returns a view whose code is loaded when it is first shown, or by `preload` before: then it is there at once. */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> & { preload(): void } {
  let loaded: ComponentType<Props> | undefined
  const preload = () => {
    whenIdle()
      .then(load)
      .then(
        (found) => {
          loaded = found
        },
        () => {},
      )
  }
  return Object.assign(OnDemand, { preload })
  function OnDemand(props: Props) {
    const [View, setView] = useState<ComponentType<Props> | undefined>(() => loaded)
    const [hasFailed, setFailed] = useState(false)
    const get = (onFailure = () => {}) => {
      // The code may have arrived since the first rendering.
      if (loaded) {
        setView(() => loaded)
        return
      }
      setFailed(false)
      load().then(
        (found) => {
          loaded = found
          setView(() => found)
        },
        () => {
          setFailed(true)
          onFailure()
        },
      )
    }
    // A browser does not retry a script that failed to load, so the page itself has to be reloaded.
    const retry = () => get(() => navigator.onLine && location.reload())
    useEffect(() => get(), [])
    useEffect(() => {
      if (!hasFailed) return undefined
      const onOnline = () => get()
      window.addEventListener('online', onOnline)
      return () => window.removeEventListener('online', onOnline)
    }, [hasFailed])
    if (View) return <View {...props} />
    return hasFailed ? <NotLoaded onRetry={retry} /> : null
  }
}

/**
 * Shown where a part cannot be loaded: there is no connection, or the server has a newer page, whose files
 * have other names.
 */
function NotLoaded({ onRetry }: { readonly onRetry: () => void }) {
  return (
    <div role="alert">
      <Empty title={t.notLoaded.title}>
        <p>{t.notLoaded.text}</p>
        <Button onClick={onRetry}>{t.tryAgain}</Button>
        <Button onClick={() => location.reload()}>{t.notLoaded.reload}</Button>
      </Empty>
    </div>
  )
}
